package io.millrace.ipc;

import io.millrace.pool.ByteView;
import io.millrace.pool.Padding;
import org.agrona.ErrorHandler;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One process's end of a lane: waits for answers, and serves nested requests while it waits. One thread.
 * <p>
 * Nested slot 0 carries the guest's calls, slot 1 the host's calls during those, and so on. A thread that waits for the
 * answer of slot k serves slot k + 1 and nothing else, so each wait ends with the answer or at its time.
 */
final class LaneEnd extends Padding
{
    /** Other processes of this core may run before the first park. */
    private static final int YIELDS = 100;
    /** A lost wake-up delays by this. */
    private static final long MAX_PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WAITING = 1;
    /** Nested calls of one wait after which it looks at its time. */
    private static final int NESTED_CALLS = 1_000;
    /** At most some microseconds: the time in which a guest serves a round of slots. */
    private static final int GATHER_SPINS = 32;
    private static final int GATHER_PAUSES = 8;

    final int lane;
    final SharedMemory memory;
    final Slots slots;
    final ExchangeLayout layout;
    final PeerLink link;
    final SpinLimit spinLimit = new SpinLimit();
    private final int self;
    private final int ownWaiting;
    private final int peerWaiting;
    private final int[] nestedSlots;
    private final ByteView[] nestedRequests;
    private final ByteView[] nestedResponses;
    private final Request[] requests;
    /** What {@link #claimNested} took at each level. */
    private final long[] nestedWords;
    final long timeoutNs;
    private final ErrorHandler errors;
    private RequestHandler handler;
    /** Whether a handler of nested calls runs. */
    boolean servesNested;

    LaneEnd(
        final int lane,
        final SharedMemory memory,
        final ExchangeLayout layout,
        final PeerLink link,
        final int self,
        final boolean host,
        final long timeoutNs,
        final ErrorHandler errors)
    {
        this.lane = lane;
        this.memory = memory;
        this.layout = layout;
        this.link = link;
        this.self = self;
        this.timeoutNs = timeoutNs;
        this.errors = errors;
        slots = new Slots(memory, self);
        final int start = layout.lane(lane);
        final int hostWaiting = start + ExchangeLayout.HOST_WAITING_OFFSET;
        final int guestWaiting = start + ExchangeLayout.GUEST_WAITING_OFFSET;
        ownWaiting = host ? hostWaiting : guestWaiting;
        peerWaiting = host ? guestWaiting : hostWaiting;
        nestedSlots = new int[layout.nested];
        nestedWords = new long[layout.nested];
        nestedRequests = new ByteView[layout.nested];
        nestedResponses = new ByteView[layout.nested];
        requests = new Request[layout.nested + 1];
        for (int i = 0; i < layout.nested; i++)
        {
            nestedSlots[i] = layout.slot(lane, layout.slots + i);
            nestedWords[i] = Slots.NONE;
            nestedRequests[i] = requestView(nestedSlots[i]);
            nestedResponses[i] = responseView(nestedSlots[i]);
        }
        for (int i = 0; i <= layout.nested; i++)
        {
            requests[i] = new Request(this, i);
        }
    }

    ByteView requestView(final int slot)
    {
        return memory.view(slot + ExchangeLayout.PAYLOAD_OFFSET, layout.payloadBytes);
    }

    ByteView responseView(final int slot)
    {
        return memory.view(slot + ExchangeLayout.PAYLOAD_OFFSET + layout.payloadBytes, layout.payloadBytes);
    }

    /** Serves the peer's nested requests from now on; null refuses them. */
    void handler(final RequestHandler newHandler)
    {
        handler = newHandler;
    }

    /** The request object of a lane's own slots. */
    Request request()
    {
        return requests[0];
    }

    /** Wakes the peer's thread if it is parked. To be called after the compare-and-set that publishes for it. */
    void signal()
    {
        // Pairs with the store in park: either we see the flag, or the peer sees our word.
        if (memory.getVolatile(peerWaiting) != 0 && memory.compareAndSet(peerWaiting, WAITING, 0))
        {
            link.wake(lane);
        }
    }

    /** Spins a moment, or until a slot is answered. */
    void spin(final int slot)
    {
        for (int i = 0; i < GATHER_SPINS && SlotWord.state(slots.word(slot)) != SlotWord.RESP_READY; i++)
        {
            for (int j = 0; j < GATHER_PAUSES; j++)
            {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * Waits until a published request is answered; serves nested slot {@code nested} meanwhile.
     *
     * @return the answered word, to be accepted; {@link Slots#NONE} if there is none, see {@link #lostStatus}.
     */
    long await(final int slot, final long published, final int peer, final int nested)
    {
        final long answered = SlotWord.with(published, peer, SlotWord.RESP_READY);
        final int limit = spinLimit.get();
        int served = 0;
        for (int i = 0; i < limit; i++)
        {
            if (slots.word(slot) == answered)
            {
                spinLimit.succeeded();
                return answered;
            }
            if (nested < nestedSlots.length && isRequest(nestedSlots[nested], peer))
            {
                serveNested(nested, peer);
                i = ++served < NESTED_CALLS ? 0 : limit;
            }
            Thread.onSpinWait();
        }
        return awaitSlow(slot, published, peer, nested, answered);
    }

    private long awaitSlow(
        final int slot, final long published, final int peer, final int nested, final long answered)
    {
        spinLimit.failed();
        final long startNs = System.nanoTime();
        int round = 0;
        while (true)
        {
            final long word = slots.word(slot);
            if (word == answered)
            {
                return answered;
            }
            final long waitedNs = System.nanoTime() - startNs;
            if (link.peer() != peer || isForeign(word, published, peer) || waitedNs >= timeoutNs)
            {
                // Or the answer came just now.
                return slots.abandon(slot, published, peer) ? Slots.NONE : answered;
            }
            else if (nested < nestedSlots.length && isRequest(nestedSlots[nested], peer))
            {
                serveNested(nested, peer);
                round = 0;
            }
            else if (round++ < YIELDS)
            {
                Thread.yield();
            }
            else
            {
                park(slot, published, peer, nested, timeoutNs - waitedNs);
            }
        }
    }

    /** Whether the word is none that the protocol allows after the published one: a cleaner freed it, or a fault. */
    boolean isForeign(final long word, final long published, final int peer)
    {
        if (word == published || word == SlotWord.with(published, peer, SlotWord.BUSY) ||
            word == SlotWord.with(published, peer, SlotWord.RESP_READY))
        {
            return false;
        }
        if (link.peer() == peer)
        {
            link.fault(peer, "lane " + lane + ": slot with " + SlotWord.describe(word));
        }
        return true;
    }

    private void park(final int slot, final long published, final int peer, final int nested, final long limitNs)
    {
        link.parking(lane, Thread.currentThread());
        // Pairs with the load in signal, after its compare-and-set: either the peer sees the flag, or we its word.
        memory.setVolatile(ownWaiting, WAITING);
        final long word = memory.getVolatile(slot);
        if ((word == published || word == SlotWord.with(published, peer, SlotWord.BUSY)) && link.peer() == peer &&
            !(nested < nestedSlots.length && isRequest(nestedSlots[nested], peer)))
        {
            LockSupport.parkNanos(this, Math.min(limitNs, MAX_PARK_NS));
        }
        memory.setRelease(ownWaiting, 0);
        link.parking(lane, null);
    }

    /** Says that this thread is about to park, or no longer. The caller looks at its slots in between. */
    void announceWaiting(final boolean waiting)
    {
        if (waiting)
        {
            link.parking(lane, Thread.currentThread());
            // Pairs with the load in signal, as in park.
            memory.setVolatile(ownWaiting, WAITING);
        }
        else
        {
            memory.setRelease(ownWaiting, 0);
            link.parking(lane, null);
        }
    }

    /** Why {@link #await} has no answer. */
    CallStatus lostStatus(final int peer)
    {
        if (peer == PeerLink.NOBODY || link.peer() != peer)
        {
            return CallStatus.PEER_LOST;
        }
        link.timeouts.incrementAndGet();
        return CallStatus.TIMED_OUT;
    }

    private boolean isRequest(final int slot, final int peer)
    {
        final long word = slots.word(slot);
        return SlotWord.state(word) == SlotWord.REQ_READY && SlotWord.owner(word) == peer;
    }

    /** For what waits for the peer, which waits for the handler of its nested call first. */
    void checkNotNested()
    {
        if (servesNested)
        {
            throw new IllegalStateException(
                "a handler of nested calls must not call, poll or await on lane " + lane + ", which waits for it");
        }
    }

    /** Serves a nested request if there is one, while the lane polls. */
    void serveOneNested(final int peer)
    {
        if (nestedSlots.length > 0 && isRequest(nestedSlots[0], peer))
        {
            serveNested(0, peer);
        }
    }

    private void serveNested(final int nested, final int peer)
    {
        final int slot = nestedSlots[nested];
        final long word = slots.word(slot);
        final long taken = slots.take(slot, word);
        if (taken != Slots.NONE)
        {
            final long descriptor = memory.get(slot + ExchangeLayout.REQUEST_OFFSET);
            final Request request = requests[nested + 1];
            if (!Descriptor.isValid(descriptor, layout.payloadBytes))
            {
                link.fault(peer, "lane " + lane + ": nested request with descriptor " + Long.toHexString(descriptor));
                slots.free(slot, taken);
                return;
            }
            request.set(Descriptor.kind(descriptor), nestedRequests[nested], Descriptor.length(descriptor),
                nestedResponses[nested]);
            final boolean outer = servesNested;
            servesNested = true;
            try
            {
                slots.reply(slot, taken, handle(Descriptor.isPlain(descriptor) ? handler : null, request));
            }
            finally
            {
                servesNested = outer;
            }
            signal();
            if (link.peer() != peer)
            {
                // Nobody takes this answer; the control thread may have cleaned up before it was there.
                slots.free(slot, SlotWord.with(taken, self, SlotWord.RESP_READY));
            }
        }
    }

    /** Calls a handler; the descriptor of its response, or {@link RequestHandler#DEFERRED}. */
    long handle(final RequestHandler to, final Request request)
    {
        if (to == null)
        {
            return Descriptor.of(CallStatus.REFUSED.ordinal(), 0, 0);
        }
        try
        {
            final int length = to.onRequest(request);
            if (length >= 0 && length <= request.responseCapacity())
            {
                return length;
            }
            if (length == RequestHandler.REFUSED)
            {
                return Descriptor.of(CallStatus.REFUSED.ordinal(), 0, 0);
            }
            if (length == RequestHandler.DEFERRED && request.token() != 0)
            {
                return RequestHandler.DEFERRED;
            }
            throw new IllegalStateException("length " + length + " of a response is not in 0.." +
                request.responseCapacity() + ", or the request cannot be deferred");
        }
        catch (final InternalError ex)
        {
            // The file was shortened: the lane detaches.
            throw ex;
        }
        catch (final Throwable ex)
        {
            return failed(ex);
        }
        finally
        {
            endOfRequest(request.level());
        }
    }

    /** Also an Error is answered: a request without an answer keeps its slot, and the lane stays full. */
    long failed(final Throwable failure)
    {
        link.failures.incrementAndGet();
        errors.onError(failure);
        return Descriptor.of(CallStatus.FAILED.ordinal(), 0, 0);
    }

    ByteView claimNested(final int level) throws ExchangeException
    {
        if (level >= nestedSlots.length)
        {
            throw new ExchangeException("a call nested more than " + nestedSlots.length + " deep");
        }
        releaseNested(level);
        final int slot = nestedSlots[level];
        if (nestedWords[level] == Slots.NONE)
        {
            long claimed = slots.claim(slot);
            if (claimed == Slots.NONE && isLeft(slots.word(slot)) && slots.free(slot, slots.word(slot)))
            {
                claimed = slots.claim(slot);
            }
            if (claimed == Slots.NONE)
            {
                throw new CallException(CallStatus.TIMED_OUT, "the peer still serves an earlier nested call");
            }
            nestedWords[level] = claimed;
        }
        return nestedRequests[level];
    }

    /** Whether an earlier peer, or an earlier life of ours, left the slot so: only this end claims it. */
    private boolean isLeft(final long word)
    {
        final int state = SlotWord.state(word);
        return state == SlotWord.RESP_READY || SlotWord.owner(word) != link.peer() && SlotWord.owner(word) != self;
    }

    int callNested(final int level, final int type, final int length) throws ExchangeException
    {
        final long claimed = level < nestedSlots.length ? nestedWords[level] : Slots.NONE;
        if (claimed == Slots.NONE || SlotWord.state(claimed) != SlotWord.BUSY)
        {
            throw new IllegalStateException("no nested call is claimed");
        }
        MessageType.checkApplication(type);
        checkLength(length);
        nestedWords[level] = Slots.NONE;
        final int slot = nestedSlots[level];
        final int peer = link.peer();
        final long published = slots.publish(slot, claimed, Descriptor.of(type, length, 0));
        signal();
        final long answered =
            published == Slots.NONE ? Slots.NONE : await(slot, published, peer, level + 1);
        if (answered == Slots.NONE || !slots.accept(slot, answered))
        {
            throw CallException.unanswered("nested call", this, peer);
        }
        nestedWords[level] = SlotWord.with(answered, self, SlotWord.DONE);
        final long descriptor = memory.get(slot + ExchangeLayout.RESPONSE_OFFSET);
        final CallStatus status = responseStatus(descriptor, peer);
        if (status != CallStatus.OK)
        {
            throw new CallException(status, "nested call on lane " + lane);
        }
        return Descriptor.length(descriptor);
    }

    /** Checks a response's descriptor; PEER_LOST if it is impossible. */
    CallStatus responseStatus(final long descriptor, final int peer)
    {
        final CallStatus status = CallStatus.of(Descriptor.kind(descriptor));
        if (status == null || !Descriptor.isValid(descriptor, layout.payloadBytes))
        {
            link.fault(peer, "lane " + lane + ": response with descriptor " + Long.toHexString(descriptor));
            return CallStatus.PEER_LOST;
        }
        return status;
    }

    void checkLength(final int length)
    {
        if (length < 0 || length > layout.payloadBytes)
        {
            throw new IllegalArgumentException("length " + length + " is not in 0.." + layout.payloadBytes);
        }
    }

    ByteView nestedResponse(final int level)
    {
        return nestedResponses[level];
    }

    /** Frees a nested slot whose answer was read. */
    private void releaseNested(final int level)
    {
        final long word = nestedWords[level];
        if (word != Slots.NONE && SlotWord.state(word) == SlotWord.DONE)
        {
            nestedWords[level] = Slots.NONE;
            slots.release(nestedSlots[level], word);
        }
    }

    /** Frees what a handler left of its nested calls. */
    private void endOfRequest(final int level)
    {
        if (level < nestedSlots.length && nestedWords[level] != Slots.NONE)
        {
            slots.free(nestedSlots[level], nestedWords[level]);
            nestedWords[level] = Slots.NONE;
        }
    }
}
