package io.millrace.benchmarks.ipc;

import io.millrace.benchmarks.harness.WrongAnswerException;
import org.HdrHistogram.Histogram;

import java.io.Serializable;

/**
 * One round of calls.
 *
 * @param calls     of all threads.
 * @param elapsedNs of the round.
 * @param least     calls of the thread that was served least.
 * @param most      calls of the thread that was served most.
 * @param wrong     calls that failed, or whose content was wrong.
 * @param steal     part of the two CPUs' time that the host took away, 0 to 1; not a number when not known.
 * @param roundTrip in ns, of each call; empty where calls overlap.
 */
record CallRound(
    long calls, long elapsedNs, long least, long most, long wrong, double steal, Histogram roundTrip)
    implements Serializable
{
    CallRound withSteal(final double newSteal)
    {
        return new CallRound(calls, elapsedNs, least, most, wrong, newSteal, roundTrip);
    }

    /** This round; throws if any answer is wrong, or none came. */
    CallRound verified(final String what)
    {
        if (wrong > 0 || calls == 0)
        {
            throw new WrongAnswerException(what + ": " + wrong + " wrong of " + calls);
        }
        return this;
    }

    double perSecond()
    {
        return calls * 1e9 / elapsedNs;
    }
}
