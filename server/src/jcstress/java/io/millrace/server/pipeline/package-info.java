/**
 * What two threads may see of a pipeline, put before jcstress: each class names every outcome that is allowed, all
 * others fail the build. {@code mvn verify -Pjcstress -pl pool,server}.
 * <pre>
 *  class                    proves
 *  OnePlaceOfferAndPoll     one event, one place: offered again only after the stage was done with it, seen whole, in
 *                           order, once (ring, SPSC over both pools, Disruptor single and multi)
 *  SpscOfferAndPoll         the same with an event for each offer, and with capacity for two
 *  RingStages               a batch is seen as one; a stage sees what the stage before it stored (ring, Disruptor); a
 *                           place is free when both of two stages have passed it; of two publishers one has the place
 *  FanOut                   a retained event stays while others pass it; of the last two releases one frees it
 *  DisplacingOfferAndPoll   evicting, conflating: delivered or displaced, never both, never neither
 *  PublisherHandOver        the publishing end passes from thread to thread (ring, SPSC, Disruptor)
 *  CloseAndOffer            an offer that overlaps a close is refused, or given back by one of the closes (all kinds)
 * </pre>
 * DirectPipeline is one thread.
 */
package io.millrace.server.pipeline;
