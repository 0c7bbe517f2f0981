package io.millrace.ipc;

import static io.millrace.ipc.SlotWord.ABANDONED;
import static io.millrace.ipc.SlotWord.BUSY;
import static io.millrace.ipc.SlotWord.DONE;
import static io.millrace.ipc.SlotWord.FREE;
import static io.millrace.ipc.SlotWord.REQ_READY;
import static io.millrace.ipc.SlotWord.RESP_READY;

/**
 * The slot protocol, as one of the two processes runs it. Only compare-and-set changes a slot's word. Each step names
 * the word that it expects, with owner and generation, so a late step never hits a later use of the slot.
 * <pre>
 *              caller               caller                server            server
 *  FREE ------ claim -----&gt; BUSY - publish -&gt; REQ_READY - take -&gt; BUSY - reply -&gt; RESP_READY
 *    ^                       |                    |                 |                 |
 *    |                     cancel             abandon            abandon           accept (caller)
 *    |                       v                    v                 v                 v
 *    +--------- free ------ DONE &lt;----------------+             ABANDONED           DONE - free -&gt; FREE
 *    +--------------------------- reply (server) ------------------+
 * </pre>
 * A release has two steps: DONE keeps the slot from everybody else, then FREE gives it away with the next generation.
 * Every successful compare-and-set publishes the stores before it; it pairs with the acquire load in {@link #word}.
 */
final class Slots
{
    /** Not a word of a slot: its state is unknown. */
    static final long NONE = -1;

    private final SharedMemory memory;
    private final int self;

    Slots(final SharedMemory memory, final int self)
    {
        this.memory = memory;
        this.self = self;
    }

    long word(final int slot)
    {
        return memory.getAcquire(slot);
    }

    /** Takes a free slot: owner, generation and state at once. {@link #NONE} if it is not free. */
    long claim(final int slot)
    {
        final long word = word(slot);
        final long busy = SlotWord.with(word, self, BUSY);
        return SlotWord.state(word) == FREE && memory.compareAndSetSeen(slot, word, busy) ? busy : NONE;
    }

    /** The same for a slot whose next generation its caller knows, because it counts the rounds of its ring. */
    long claim(final int slot, final int generation)
    {
        final long busy = SlotWord.of(self, generation, BUSY);
        return memory.compareAndSet(slot, SlotWord.of(0, generation, FREE), busy) ? busy : NONE;
    }

    /**
     * Claims a slot that should be free and is not, because of what a peer wrote or a handler threw. {@link #NONE} if
     * the peer still serves an earlier call in it, which was given up.
     */
    long takeOver(final int slot, final int generation, final int peer)
    {
        final long word = word(slot);
        final long busy = SlotWord.of(self, generation, BUSY);
        final int state = SlotWord.state(word);
        final boolean isServed =
            peer != PeerLink.NOBODY && state != RESP_READY && word == SlotWord.of(peer, generation - 1, state);
        return !isServed && memory.compareAndSet(slot, word, busy) ? busy : NONE;
    }

    /** Publishes the request of a claimed slot. {@link #NONE} if the slot is no longer ours. */
    long publish(final int slot, final long claimed, final long descriptor)
    {
        memory.put(slot + ExchangeLayout.REQUEST_OFFSET, descriptor);
        final long published = SlotWord.with(claimed, self, REQ_READY);
        return memory.compareAndSet(slot, claimed, published) ? published : NONE;
    }

    /** Gives a claimed slot back unused. */
    boolean cancel(final int slot, final long claimed)
    {
        return free(slot, claimed);
    }

    /** Takes a published request, whose word was read just now. {@link #NONE} if the slot has changed since. */
    long take(final int slot, final long published)
    {
        final long taken = SlotWord.with(published, self, BUSY);
        return memory.compareAndSetSeen(slot, published, taken) ? taken : NONE;
    }

    /**
     * Publishes a response, if its caller still waits for it: the word must be the taken one, with its generation. The
     * server frees the slot of a caller that has given up.
     */
    boolean reply(final int slot, final long taken, final long descriptor)
    {
        if (word(slot) == taken)
        {
            memory.put(slot + ExchangeLayout.RESPONSE_OFFSET, descriptor);
            if (memory.compareAndSetSeen(slot, taken, SlotWord.with(taken, self, RESP_READY)))
            {
                return true;
            }
        }
        final long abandoned = SlotWord.with(taken, self, ABANDONED);
        if (word(slot) == abandoned)
        {
            free(slot, abandoned);
        }
        return false;
    }

    /** Takes a response, whose word was read just now. False if the slot has changed since. */
    boolean accept(final int slot, final long answered)
    {
        return memory.compareAndSetSeen(slot, answered, SlotWord.with(answered, self, DONE));
    }

    /** Frees a slot whose response was accepted: the second step of the release. */
    boolean release(final int slot, final long answered)
    {
        final long done = SlotWord.with(answered, self, DONE);
        return memory.compareAndSet(slot, done, SlotWord.freed(done));
    }

    /** Both steps of a release, from a given word. One of several cleaners succeeds. */
    boolean free(final int slot, final long word)
    {
        final long done = SlotWord.with(word, self, DONE);
        return memory.compareAndSet(slot, word, done) && memory.compareAndSet(slot, done, SlotWord.freed(done));
    }

    /**
     * Stops waiting for a peer's response. A request that nobody took is freed, and so is one that another peer has
     * answered; one that is served is left to its server.
     *
     * @return false if the peer's response has arrived meanwhile: accept it.
     */
    boolean abandon(final int slot, final long published, final int peer)
    {
        if (free(slot, published))
        {
            return true;
        }
        long word = word(slot);
        final int server = SlotWord.owner(word);
        if (word == SlotWord.with(published, server, BUSY))
        {
            if (memory.compareAndSet(slot, word, SlotWord.with(word, server, ABANDONED)))
            {
                return true;
            }
            word = word(slot);
        }
        if (word == SlotWord.with(published, peer, RESP_READY))
        {
            return false;
        }
        if (word == SlotWord.with(published, SlotWord.owner(word), RESP_READY))
        {
            free(slot, word);
        }
        return true;
    }

    /**
     * Frees a slot that a dead process left behind. Slots that it does not own are left alone, and so is a response
     * that it has completed.
     *
     * @return whether this call freed it; false if another cleaner did.
     */
    boolean clean(final int slot, final int dead)
    {
        long word = word(slot);
        while (SlotWord.owner(word) == dead && SlotWord.state(word) != RESP_READY)
        {
            if (free(slot, word))
            {
                return true;
            }
            // Its caller abandons it at the same time, or another cleaner frees it.
            word = word(slot);
        }
        return false;
    }

    /** Frees a slot of which a dead process had a part, whatever its state. The late steps of others fail. */
    void clear(final int slot)
    {
        final long word = word(slot);
        if (SlotWord.state(word) != FREE)
        {
            free(slot, word);
        }
    }
}
