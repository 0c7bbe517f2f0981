/**
 * What two threads may see of a pool, put before jcstress: each class names every outcome that is allowed, all others
 * fail the build. {@code mvn verify -Pjcstress -pl pool,server}.
 * <pre>
 *  class                    proves
 *  RingPublishAndRead       an event is seen whole or not at all; its slot is reused only when the reader has
 *                           passed it and nobody retains it
 *  RingFirstRetain          the same when the first retain on the ring happens meanwhile
 *  RingPadsAndBatches       a PAD is skipped, in its turn and out of turn; who sees the first event of a batch sees all
 *  RingReleaseAndAcquire    unbound ring: the next user sees what the last user and the hook wrote
 *  RingReleaseAndReuse      the same when the last event becomes the next one again
 *  RingLateRelease          a release with an old stamp does not affect the next user (bound ring); the one race
 *                           of the unbound ring, which release(stamp) names, is there and is marked interesting
 *  RingHandOver             the acquiring end passes from thread to thread
 *  RetainAndRelease         concurrent retain and release lose no reference: shared pool, unbound ring, bound ring
 *  SharedAcquire            no event is acquired twice, also while the pool grows; the next user sees what the last one
 *                           and the hook wrote
 *  SharedDoubleRelease      two releases of one reference: the event becomes free once
 *  SharedLateRelease        two releases with one stamp while the event is acquired again: one counts
 *  SharedRingClaimAndRevoke ring of many publishers: no event is claimed twice, each is seen whole; a claimed event is
 *                           either published or revoked; a late publisher harms no other event
 * </pre>
 */
package io.millrace.pool;
