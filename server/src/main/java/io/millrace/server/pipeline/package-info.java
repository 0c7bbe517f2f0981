/**
 * Pipelines carry pooled events from one publishing end to the stages that handle them.
 * <p>
 * No call in this package blocks, logs or allocates after construction. An offer to a full pipeline returns {@code
 * false}; the publisher counts it and applies its policy. A pipeline counts the events that it displaces.
 */
package io.millrace.server.pipeline;
