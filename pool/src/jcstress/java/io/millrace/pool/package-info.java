/**
 * What two threads may see of a pool, put before jcstress: each class names every outcome that is allowed, all others
 * fail the build. {@code mvn verify -Pjcstress -pl pool,server}.
 * <pre>
 *  class                    proves
 *  RingPublishAndRead       an event is seen whole or not at all; its place is lent again only when the reader has
 *                           passed it and nobody retains it
 *  RingFirstHold            so it is also when the first hold ever on the ring is taken meanwhile
 *  RingPadsAndBatches       a PAD is skipped, in its turn and out of turn; who sees the first event of a batch sees all
 *  RingReleaseAndAcquire    unbound ring: the next owner sees what the last holder and the hook wrote
 *  RingLateRelease          a release with an old stamp does not hit the next owner's hold (bound ring); the one gap
 *                           of the unbound ring, which release(stamp) names, is there and is marked interesting
 *  RingHandOver             the acquiring end passes from thread to thread
 *  RetainAndRelease         retain beside release loses no hold: shared pool, unbound ring, bound ring
 *  SharedAcquire            no event is lent twice, also while the pool grows; the next owner sees what the last one
 *                           and the hook wrote
 *  SharedDoubleRelease      two releases of one hold: the event goes back once
 *  SharedLateRelease        two releases with one stamp while the event is lent again: one counts
 * </pre>
 */
package io.millrace.pool;
