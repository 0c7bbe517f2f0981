package io.millrace.gateway.udp;

import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** U2: duplicates, reordering, gaps, wrap and restarts. */
class SequenceTrackerTest
{
    private final SequenceTracker tracker = new SequenceTracker();

    private void expect(final Arrival expected, final long session, final long sequence)
    {
        assertEquals(expected, tracker.onMessage(session, sequence), "session " + session + " sequence " + sequence);
    }

    @Test
    void u2ShouldCountAGapAndTakeBackWhatComesLate()
    {
        expect(Arrival.NEXT, 1, 10);
        expect(Arrival.NEXT, 1, 11);
        expect(Arrival.AFTER_GAP, 1, 15);
        assertEquals(3, tracker.lost());
        expect(Arrival.LATE, 1, 13);
        expect(Arrival.DUPLICATE, 1, 13);
        expect(Arrival.DUPLICATE, 1, 15);
        expect(Arrival.DUPLICATE, 1, 10);
        expect(Arrival.TOO_OLD, 1, 9);
        expect(Arrival.NEXT, 1, 16);
        assertEquals(2, tracker.lost());
        assertEquals(1, tracker.gaps());
        assertEquals(1, tracker.late());
        assertEquals(3, tracker.duplicates());
        assertEquals(1, tracker.tooOld());
    }

    @Test
    void u2ShouldNotLookBackBeyondItsWindow()
    {
        final int window = SequenceTracker.WINDOW;
        expect(Arrival.NEXT, 1, 1);
        expect(Arrival.AFTER_GAP, 1, 3 * window);
        assertEquals(3 * window - 2, tracker.lost());
        expect(Arrival.TOO_OLD, 1, 2 * window);
        expect(Arrival.LATE, 1, 2 * window + 1);
        expect(Arrival.TOO_OLD, 1, 1);
        assertEquals(3 * window - 3, tracker.lost());
        assertEquals(1, tracker.gaps());
    }

    /** The places of the window are used again: those of the messages before the gap say nothing about those behind. */
    @Test
    void u2ShouldForgetInALongGapWhatCameBefore()
    {
        final int window = SequenceTracker.WINDOW;
        expect(Arrival.NEXT, 1, 1);
        for (int begin = 2; begin < 14 * window; begin += 4 * window)
        {
            for (int sequence = begin; sequence < begin + window; sequence++)
            {
                expect(Arrival.NEXT, 1, sequence);
            }
            expect(Arrival.AFTER_GAP, 1, begin + 4 * window - 1);
            expect(Arrival.LATE, 1, begin + 4 * window - 2);
            expect(Arrival.DUPLICATE, 1, begin + 4 * window - 2);
        }
        assertEquals(4 * (3 * window - 2), tracker.lost());
        assertEquals(4, tracker.late());
    }

    @Test
    void u2ShouldGoOnAfterTheGreatestNumber()
    {
        expect(Arrival.NEXT, 1, -2);
        expect(Arrival.NEXT, 1, -1);
        expect(Arrival.AFTER_GAP, 1, 1);
        expect(Arrival.LATE, 1, 0);
        expect(Arrival.DUPLICATE, 1, -1);
        expect(Arrival.NEXT, 1, 2);
        expect(Arrival.AFTER_GAP, 1, 4);
        assertEquals(1, tracker.lost());
        assertEquals(2, tracker.gaps());
    }

    @Test
    void u2ShouldKnowARestartByTheSession()
    {
        expect(Arrival.NEXT, 7, 500);
        expect(Arrival.RESTART, 3, 1);
        expect(Arrival.NEXT, 3, 2);
        expect(Arrival.OLD_SESSION, 7, 501);
        expect(Arrival.RESTART, 8, 0);
        expect(Arrival.NEXT, 8, 1);
        expect(Arrival.OLD_SESSION, 3, 3);
        expect(Arrival.OLD_SESSION, 7, 502);
        assertEquals(2, tracker.restarts());
        assertEquals(3, tracker.oldSessionMessages());
        assertEquals(0, tracker.lost());
    }

    @Test
    void u2ShouldCountWhatTheBeginOfANewSessionLost()
    {
        expect(Arrival.NEXT, 1, 1);
        expect(Arrival.RESTART, 2, 4);
        assertEquals(3, tracker.lost());
        expect(Arrival.LATE, 2, 2);
        expect(Arrival.DUPLICATE, 2, 2);
        assertEquals(2, tracker.lost());
    }

    @Test
    void shouldNotLetOneWrongNumberEndTheFeed()
    {
        expect(Arrival.NEXT, 1, 1);
        final long far = 1L << 40;
        expect(Arrival.IMPLAUSIBLE, 1, far);
        expect(Arrival.NEXT, 1, 2);
        expect(Arrival.IMPLAUSIBLE, 1, far + 7);
        expect(Arrival.AFTER_GAP, 1, far + 8);
        expect(Arrival.NEXT, 1, far + 9);
        assertEquals(far + 5, tracker.lost());
        assertEquals(2, tracker.implausible());
    }

    @Test
    void shouldReturnFromASessionOfOneMessage()
    {
        expect(Arrival.NEXT, 7, 500);
        expect(Arrival.NEXT, 7, 501);
        expect(Arrival.RESTART, 99, 40);
        expect(Arrival.RESTART, 98, 3);
        assertEquals(2, tracker.lost());
        expect(Arrival.RESTART, 7, 502);
        assertEquals(0, tracker.lost());
        expect(Arrival.NEXT, 7, 503);
        expect(Arrival.DUPLICATE, 7, 500);
        expect(Arrival.OLD_SESSION, 98, 5);
        // A real restart, and the last message of the old session late: none is lost.
        expect(Arrival.RESTART, 8, 1);
        expect(Arrival.RESTART, 7, 504);
        expect(Arrival.RESTART, 8, 2);
        expect(Arrival.NEXT, 8, 3);
        // Two wrong messages that agree: two right ones that agree bring the session back, the first is lost.
        expect(Arrival.RESTART, 5, 1);
        expect(Arrival.NEXT, 5, 2);
        expect(Arrival.OLD_SESSION, 8, 4);
        expect(Arrival.RESTART, 8, 5);
        expect(Arrival.NEXT, 8, 6);
        assertEquals(1, tracker.lost());
        assertEquals(8, tracker.session());
        assertEquals(8, tracker.restarts());
    }

    @Test
    void shouldReturnFromAWideGapOfOneMessage()
    {
        final int wide = 3 * SequenceTracker.WINDOW;
        expect(Arrival.NEXT, 1, 1);
        expect(Arrival.NEXT, 1, 2);
        expect(Arrival.AFTER_GAP, 1, wide);
        assertEquals(wide - 3, tracker.lost());
        expect(Arrival.AFTER_GAP, 1, 3);
        assertEquals(0, tracker.lost());
        // The gap was right, and the message late.
        expect(Arrival.AFTER_GAP, 1, wide + 1);
        assertEquals(wide - 4, tracker.lost());
        expect(Arrival.NEXT, 1, wide + 2);
        // Two in a row: the messages of a line that is far behind. Where the lines meet, nothing is taken twice.
        expect(Arrival.TOO_OLD, 1, 4);
        expect(Arrival.AFTER_GAP, 1, 5);
        assertEquals(1, tracker.lost());
        for (int i = 6; i < wide; i++)
        {
            expect(Arrival.NEXT, 1, i);
        }
        for (int i = 0; i <= 2; i++)
        {
            expect(Arrival.DUPLICATE, 1, wide + i);
        }
        expect(Arrival.NEXT, 1, wide + 3);
        expect(Arrival.TOO_OLD, 1, 4);
        assertEquals(1, tracker.lost());
    }

    /** Each of them takes back what it counted as lost. */
    @Test
    void shouldReturnFromTwoWideGapsInARow()
    {
        final int wide = 3 * SequenceTracker.WINDOW;
        expect(Arrival.NEXT, 1, 1);
        expect(Arrival.NEXT, 1, 2);
        expect(Arrival.AFTER_GAP, 1, wide);
        expect(Arrival.AFTER_GAP, 1, 3 * wide);
        assertEquals(3 * wide - 4, tracker.lost());
        expect(Arrival.AFTER_GAP, 1, 3);
        expect(Arrival.NEXT, 1, 4);
        assertEquals(0, tracker.lost());
    }

    @Test
    void shouldTakeBackWhatAWrongFirstMessageOfASessionLost()
    {
        expect(Arrival.NEXT, 1, 1);
        expect(Arrival.RESTART, 2, 100_000);
        assertEquals(99_999, tracker.lost());
        expect(Arrival.TOO_OLD, 2, 10);
        expect(Arrival.AFTER_GAP, 2, 11);
        assertEquals(10, tracker.lost());
        expect(Arrival.LATE, 2, 10);
        assertEquals(9, tracker.lost());
    }

    /** A receiver that begins later than the sender has lost nothing. */
    @Test
    void shouldCountTheGreatestPlausibleLossAtTheBeginOfASession()
    {
        expect(Arrival.NEXT, 1, 1);
        expect(Arrival.RESTART, 2, SequenceTracker.MAX_GAP);
        expect(Arrival.NEXT, 2, SequenceTracker.MAX_GAP + 1);
        assertEquals(SequenceTracker.MAX_GAP - 1, tracker.lost());
        expect(Arrival.RESTART, 3, SequenceTracker.MAX_GAP + 1);
        assertEquals(SequenceTracker.MAX_GAP - 1, tracker.lost());
    }

    /** A session that ended right behind a wide gap has ended, too. */
    @Test
    void shouldRememberASessionThatEndedBehindAWideGap()
    {
        final int wide = 3 * SequenceTracker.WINDOW;
        expect(Arrival.NEXT, 1, 1);
        expect(Arrival.NEXT, 1, 2);
        expect(Arrival.AFTER_GAP, 1, wide);
        expect(Arrival.RESTART, 2, 1);
        expect(Arrival.NEXT, 2, 2);
        expect(Arrival.OLD_SESSION, 1, wide + 1);
        expect(Arrival.NEXT, 2, 3);
    }

    @Test
    void shouldStartAgainWhenNothingFits()
    {
        expect(Arrival.NEXT, 1, 1L << 40);
        expect(Arrival.NEXT, 1, (1L << 40) + 1);
        for (int i = 1; i <= SequenceTracker.MAX_REFUSED; i++)
        {
            expect(Arrival.TOO_OLD, 1, i);
        }
        expect(Arrival.RESTART, 1, SequenceTracker.MAX_REFUSED + 1);
        expect(Arrival.NEXT, 1, SequenceTracker.MAX_REFUSED + 2);
        assertEquals(0, tracker.lost());
        assertEquals(1, tracker.restarts());
    }

    /** One line is far behind, the other is not: what comes late is no restart, however much it is. */
    @Test
    void shouldNotStartAgainWhileTheFeedGoesOn()
    {
        final long begin = 1L << 40;
        expect(Arrival.NEXT, 1, begin);
        for (int i = 1; i <= 2 * SequenceTracker.MAX_REFUSED; i++)
        {
            expect(Arrival.NEXT, 1, begin + i);
            expect(Arrival.TOO_OLD, 1, i);
        }
        assertEquals(0, tracker.restarts());
    }

    @Test
    void shouldBelieveTheGreatestPlausibleGap()
    {
        expect(Arrival.NEXT, 1, 1);
        expect(Arrival.IMPLAUSIBLE, 1, SequenceTracker.MAX_GAP + 3);
        expect(Arrival.AFTER_GAP, 1, SequenceTracker.MAX_GAP + 2);
        assertEquals(SequenceTracker.MAX_GAP, tracker.lost());
    }

    @Test
    void shouldBeginAgainIfTheFirstMessageWasWrong()
    {
        expect(Arrival.NEXT, 1, 1L << 40);
        expect(Arrival.TOO_OLD, 1, 10);
        expect(Arrival.AFTER_GAP, 1, 11);
        expect(Arrival.NEXT, 1, 12);
        expect(Arrival.LATE, 1, 10);
        assertEquals(0, tracker.lost());
        final SequenceTracker near = new SequenceTracker();
        near.onMessage(1, 1_000);
        assertEquals(Arrival.LATE, near.onMessage(1, 900));
        assertEquals(99, near.lost());
        assertEquals(Arrival.LATE, near.onMessage(1, 901));
        assertEquals(Arrival.TOO_OLD, near.onMessage(1, 899));
    }

    /** Single wrong messages between right ones, one of eleven: the right ones pass. */
    @Test
    void shouldSurviveWrongMessages()
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        final Random random = new Random(seed);
        final int count = 100_000;
        final long begin = random.nextInt(1_000_000);
        final Set<Long> wrong = new HashSet<>();
        long refused = 0;
        for (long sequence = begin; sequence < begin + count; sequence++)
        {
            if (random.nextInt(10) == 0)
            {
                final long session = random.nextBoolean() ? 1 : 1L << 1 + random.nextInt(62);
                final long other = sequence ^ 1L << random.nextInt(63);
                wrong.add(other);
                tracker.onMessage(session, other);
            }
            refused += tracker.onMessage(1, sequence).isNew() || wrong.contains(sequence) ? 0 : 1;
        }
        // Only by chance: two wrong messages that agree.
        assertTrue(refused <= count / 100, "-Dmillrace.seed=" + seed + " refused " + refused);
    }

    /** Loses, repeats and reorders, and counts with sets. */
    private void shouldCountExactly(final int messages)
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        final Random random = new Random(seed);
        final List<long[]> sent = new ArrayList<>();
        long session = 1;
        long sequence = 0;
        for (int i = 0; i < messages; i++)
        {
            if (random.nextInt(messages / 5) == 0 && sequence > 0)
            {
                session++;
                sequence = 0;
            }
            sequence++;
            // Nobody can know that the last messages of a session, or the first of all, are lost.
            final int copies = i == 0 || random.nextInt(50) > 0 ? 1 + random.nextInt(20) / 19 : 0;
            for (int copy = 0; copy < copies; copy++)
            {
                sent.add(new long[]{session, sequence});
            }
        }
        for (int i = 1; i < sent.size(); i++)
        {
            final int j = i + random.nextInt(30);
            if (random.nextInt(20) == 0 && j < sent.size() && sent.get(i)[0] == sent.get(j)[0])
            {
                Collections.swap(sent, i, j);
            }
        }
        final Set<Long> seen = new HashSet<>();
        long lost = 0;
        long duplicates = 0;
        long highest = sent.get(0)[1] - 1;
        session = sent.get(0)[0];
        for (final long[] message : sent)
        {
            final String text = "-Dmillrace.seed=" + seed + " session " + message[0] + " sequence " + message[1];
            if (message[0] != session)
            {
                session = message[0];
                seen.clear();
                highest = 0;
            }
            final Arrival arrival = tracker.onMessage(message[0], message[1]);
            final boolean isNew = seen.add(message[1]);
            assertEquals(isNew, arrival.isNew(), text);
            duplicates += isNew ? 0 : 1;
            if (isNew)
            {
                lost += message[1] > highest ? message[1] - highest - 1 : -1;
                highest = Math.max(highest, message[1]);
            }
            assertEquals(lost, tracker.lost(), text);
        }
        assertEquals(duplicates, tracker.duplicates(), "-Dmillrace.seed=" + seed);
        System.out.println("SequenceTracker: " + sent.size() + " of " + messages + " messages with duplicates, lost " +
            lost + ", duplicates " + duplicates + ", late " + tracker.late() + ", restarts " + tracker.restarts() +
            ", -Dmillrace.seed=" + seed);
    }

    @Test
    void u2ShouldCountLossesExactly()
    {
        shouldCountExactly(100_000);
    }

    @Test
    @Tag("faults")
    void u2ShouldCountLossesExactlyOverAMillion()
    {
        shouldCountExactly(1_000_000);
    }

    @Test
    void shouldAllocateNothing() throws Exception
    {
        final long[] next = {1};
        Allocations.shouldBeNone(() ->
        {
            for (int i = 0; i < 100_000; i++)
            {
                next[0] += i % 100 == 0 ? 5 : 1;
                tracker.onMessage(next[0] >>> 15, next[0]);
                tracker.onMessage(next[0] >>> 15, next[0] - i % 7);
            }
        });
    }
}
