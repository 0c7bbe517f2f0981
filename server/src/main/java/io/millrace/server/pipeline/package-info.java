/**
 * Motion: pipelines that carry pooled events from one publishing end to the stages that handle them.
 * <p>
 * No call in this package blocks, logs or allocates after construction. Full is {@code false}: who publishes decides
 * what follows and counts it. What a pipeline displaces by itself it counts itself.
 */
package io.millrace.server.pipeline;
