package io.millrace.ipc;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;

import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * Lincheck runs short random programs of a caller and a server on one slot, interleaves their steps within a bound, and
 * compares the results with a sequential model. It knows no reordering of memory: {@code src/jcstress} tests that.
 */
@Tag("lincheck")
class SlotsLincheckTest
{
    /** Number of programs; each runs in up to 200 interleavings. */
    private static final int ITERATIONS = Integer.getInteger("lincheck.iterations", 10);
    /** Lincheck takes a program for hung after it. Its 30 seconds are too few for a busy machine. */
    private static final long TIMEOUT_MS = 600_000;

    private static ModelCheckingOptions options()
    {
        return new ModelCheckingOptions().invocationTimeout$lincheck(TIMEOUT_MS)
            .iterations(ITERATIONS).invocationsPerIteration(200).minimizeFailedScenario(false)
            .threads(2).actorsPerThread(4).actorsBefore(2).actorsAfter(3);
    }

    /** The operations that slots use, on longs: Lincheck follows no access to a buffer. */
    private static final class Words extends SharedMemory
    {
        private static final ByteBuffer NO_FILE = ByteBuffer.allocateDirect(2 * Long.BYTES);

        private final AtomicLongArray words;

        private Words(final int bytes)
        {
            super(NO_FILE);
            words = new AtomicLongArray(bytes / Long.BYTES);
        }

        @Override
        void put(final int offset, final long value)
        {
            words.setPlain(offset / Long.BYTES, value);
        }

        @Override
        long getAcquire(final int offset)
        {
            return words.getAcquire(offset / Long.BYTES);
        }

        @Override
        void setVolatile(final int offset, final long value)
        {
            words.set(offset / Long.BYTES, value);
        }

        @Override
        boolean compareAndSet(final int offset, final long expected, final long value)
        {
            return words.getOpaque(offset / Long.BYTES) == expected && compareAndSetSeen(offset, expected, value);
        }

        @Override
        boolean compareAndSetSeen(final int offset, final long expected, final long value)
        {
            return words.compareAndSet(offset / Long.BYTES, expected, value);
        }
    }

    /** A slot with its two sides. */
    public static class Slot
    {
        private static final int HOST = 1;
        private static final int GUEST = 2;

        final ExchangeLayout layout = new ExchangeLayout(1, 1, 64, 0);
        final int slot = layout.slot(0, 0);
        final SharedMemory memory = new Words(layout.fileBytes);
        final Slots host = new Slots(memory, HOST);
        final Slots guest = new Slots(memory, GUEST);
        private long published = Slots.NONE;
        long taken = Slots.NONE;

        /** The caller publishes a request; false if the slot is not free. */
        @Operation(nonParallelGroup = "caller")
        public boolean publish()
        {
            final long claimed = host.claim(slot);
            if (claimed == Slots.NONE)
            {
                return false;
            }
            published = host.publish(slot, claimed, Long.BYTES);
            return true;
        }

        /** The caller takes an answer and frees the slot; false if there is none. */
        @Operation(nonParallelGroup = "caller")
        public boolean accept()
        {
            final long word = host.word(slot);
            if (SlotWord.state(word) != SlotWord.RESP_READY || !host.accept(slot, word))
            {
                return false;
            }
            published = Slots.NONE;
            return host.release(slot, word);
        }

        /** The caller gives up; false if it waits for nothing, or the answer is there. */
        @Operation(nonParallelGroup = "caller")
        public boolean abandon()
        {
            if (published != Slots.NONE && host.abandon(slot, published, GUEST))
            {
                published = Slots.NONE;
                return true;
            }
            return false;
        }

        /** The server takes a request; false if there is none, or it has one. */
        @Operation(nonParallelGroup = "server")
        public boolean take()
        {
            final long word = guest.word(slot);
            if (taken != Slots.NONE || SlotWord.state(word) != SlotWord.REQ_READY)
            {
                return false;
            }
            taken = guest.take(slot, word);
            return taken != Slots.NONE;
        }

        /** The server answers; false if it has no request, or its caller has given up. */
        @Operation(nonParallelGroup = "server")
        public boolean reply()
        {
            final long word = taken;
            taken = Slots.NONE;
            return word != Slots.NONE && guest.reply(slot, word, Long.BYTES);
        }
    }

    /** With a reply that looks, then stores. */
    public static class Broken extends Slot
    {
        @Override
        @Operation(nonParallelGroup = "server")
        public boolean reply()
        {
            final long word = taken;
            taken = Slots.NONE;
            if (word == Slots.NONE)
            {
                return false;
            }
            if (guest.word(slot) == word)
            {
                memory.setVolatile(slot, SlotWord.with(word, SlotWord.owner(word), SlotWord.RESP_READY));
                return true;
            }
            return guest.reply(slot, word, Long.BYTES);
        }
    }

    /** The model. */
    public static class SlotModel
    {
        private int state = SlotWord.FREE;

        private boolean change(final int from, final int to)
        {
            final boolean changes = state == from;
            state = changes ? to : state;
            return changes;
        }

        /** As in the slot. */
        public boolean publish()
        {
            return change(SlotWord.FREE, SlotWord.REQ_READY);
        }

        /** As in the slot. */
        public boolean accept()
        {
            return change(SlotWord.RESP_READY, SlotWord.FREE);
        }

        /** As in the slot. */
        public boolean abandon()
        {
            return change(SlotWord.REQ_READY, SlotWord.FREE) || change(SlotWord.BUSY, SlotWord.ABANDONED);
        }

        /** As in the slot. */
        public boolean take()
        {
            return change(SlotWord.REQ_READY, SlotWord.BUSY);
        }

        /** As in the slot. */
        public boolean reply()
        {
            change(SlotWord.ABANDONED, SlotWord.FREE);
            return change(SlotWord.BUSY, SlotWord.RESP_READY);
        }
    }

    @Test
    void shouldPassRequestsAndAnswersInOneOrder()
    {
        options().sequentialSpecification(SlotModel.class).check(Slot.class);
    }

    /** The check itself: it finds a reply that is not one step. */
    @Test
    void shouldFindAReplyThatLooksAndThenStores()
    {
        assertThrows(LincheckAssertionError.class, () ->
            options().iterations(100).sequentialSpecification(SlotModel.class).check(Broken.class));
    }
}
