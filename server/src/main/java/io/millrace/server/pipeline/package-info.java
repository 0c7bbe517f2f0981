/**
 * Motion: pipelines that carry pooled events from one publishing end to the stages that handle them.
 * <p>
 * No call in this package blocks, logs or allocates after construction. Full is {@code false} and a counter.
 */
package io.millrace.server.pipeline;
