package io.millrace.server;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.II_Result;

import java.util.concurrent.CompletableFuture;

/**
 * A request is answered or it ends without an answer, never both, and its slot is free afterwards.
 */
public final class AnswerAndTimeout
{
    private static final long LONG_NS = Requests.MAX_TIMEOUT_NS;

    private AnswerAndTimeout()
    {
    }

    /** An answer of two fields. */
    static final class Answer
    {
        int value;
        int inverse;
    }

    /** Sends 7; 1 if it was delivered. */
    static int answer(final Requests<Answer> requests, final long correlation)
    {
        final Answer answer = requests.answerTo(correlation);
        if (answer == null)
        {
            return 0;
        }
        answer.value = 7;
        answer.inverse = ~7;
        return requests.send(correlation) ? 1 : 0;
    }

    /** The requester polls. */
    @JCStressTest
    @Outcome(id = {"1, 0", "1, 7"}, expect = Expect.ACCEPTABLE, desc = "whole, or not there yet")
    @State
    public static class Poll
    {
        private final Requests<Answer> requests = new Requests<>(Answer::new, 1);
        private final long correlation = requests.open(LONG_NS);

        /** Answers. */
        @Actor
        public void answer(final II_Result result)
        {
            result.r1 = AnswerAndTimeout.answer(requests, correlation);
        }

        /** Polls once. */
        @Actor
        public void ask(final II_Result result)
        {
            final Answer answer = requests.poll(correlation);
            result.r2 = answer == null ? 0 : answer.inverse == ~answer.value ? answer.value : -2;
        }
    }

    /** The requester closes: was it delivered, late, cancelled; slots in use. */
    @JCStressTest
    @Outcome(id = "1, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "answered, then closed")
    @Outcome(id = "0, 1, 1, 0", expect = Expect.ACCEPTABLE, desc = "closed, the answer is late")
    @State
    public static class Close
    {
        private final Requests<Answer> requests = new Requests<>(Answer::new, 1);
        private final long correlation = requests.open(LONG_NS);

        /** Answers. */
        @Actor
        public void answer(final IIII_Result result)
        {
            result.r1 = AnswerAndTimeout.answer(requests, correlation);
        }

        /** Closes. */
        @Actor
        public void close()
        {
            requests.close(correlation);
        }

        /** Counts. */
        @Arbiter
        public void count(final IIII_Result result)
        {
            result.r2 = (int)requests.late();
            result.r3 = (int)requests.cancelled();
            result.r4 = requests.inUse();
        }
    }

    /** The requester closes and another one opens the same slot: delivered to the first; what the second sees. */
    @JCStressTest
    @Outcome(id = {"1, 0", "0, 0"}, expect = Expect.ACCEPTABLE, desc = "nothing for the second one")
    @State
    public static class Next
    {
        private final Requests<Answer> requests = new Requests<>(Answer::new, 1);
        private final long correlation = requests.open(LONG_NS);

        /** Answers. */
        @Actor
        public void answer(final II_Result result)
        {
            result.r1 = AnswerAndTimeout.answer(requests, correlation);
        }

        /** Closes and opens. */
        @Actor
        public void close(final II_Result result)
        {
            requests.close(correlation);
            final long next = requests.open(LONG_NS);
            result.r2 = next != Requests.NONE && requests.poll(next) != null ? 1 : 0;
        }
    }

    /** A request is opened while the table closes: was it opened, slots in use. With a future, the table ends it. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "opened, then cancelled")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "closed before")
    @State
    public static class OpenAndCloseAll
    {
        private final Requests<Answer> requests = new Requests<>(Answer::new, 1);
        private final CompletableFuture<Answer> future = new CompletableFuture<>();

        /** The slot has its answer, so that both threads take about as long. */
        public OpenAndCloseAll()
        {
            requests.close(requests.open(LONG_NS));
        }

        /** Opens. */
        @Actor
        public void open(final II_Result result)
        {
            result.r1 = requests.open(future, LONG_NS) == Requests.NONE ? 0 : 1;
        }

        /** Closes the table. */
        @Actor
        public void closeAll()
        {
            requests.closeAll();
        }

        /** The slots in use. */
        @Arbiter
        public void count(final II_Result result)
        {
            result.r2 = requests.inUse();
        }
    }
}
