/**
 * What two threads may see of a slot, put before jcstress: each class names every outcome that is allowed, all others
 * fail the build. {@code mvn verify -Pjcstress -pl pool,server,testing,ipc}.
 * <pre>
 *  class               proves
 *  SlotHandOver        a request is taken whole or not at all, its answer too
 *  SlotReplyAndAbandon an answer and its caller's giving up meet: one wins, the slot is free or answered
 *  SlotTwoCleaners     two cleaners of one dead owner: one frees the slot, once
 *  ParkingHandshake    a thread that parks sees the word, or its waker sees the flag
 * </pre>
 */
package io.millrace.ipc;
