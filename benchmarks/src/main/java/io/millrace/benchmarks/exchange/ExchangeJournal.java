package io.millrace.benchmarks.exchange;

import io.millrace.journal.Durability;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How the commands of our exchange become durable.
 *
 * @param kind       where the log is written.
 * @param durability policy; of BARE, whether each batch is forced.
 */
public record ExchangeJournal(Kind kind, Durability durability) implements Serializable
{
    /** Without a journal. */
    public static final ExchangeJournal NONE = new ExchangeJournal(Kind.NONE, Durability.OS_CACHE);

    private static final List<String> POLICIES = Arrays.stream(Durability.values()).map(Enum::name).toList();

    /** Where the log is written. */
    public enum Kind
    {
        /** Not at all. */
        NONE,
        /** By a stage before matching, on the agent of matching. */
        SERIAL,
        /** On the source's CPU, by an agent that also reads the executions behind a gate, beside matching. */
        PARALLEL,
        /** Serial, by a stage that copies as many bytes, writes and forces them, and nothing else: the baseline. */
        BARE
    }

    /**
     * The journals of a policy, and the baseline.
     *
     * @param policy name of a {@link Durability}.
     * @return serial, parallel, bare.
     */
    static List<ExchangeJournal> of(final String policy)
    {
        if (!POLICIES.contains(policy))
        {
            throw new IllegalArgumentException("'" + policy + "' is not one of none, " + String.join(", ", POLICIES));
        }
        final List<ExchangeJournal> journals = new ArrayList<>();
        for (final Kind kind : List.of(Kind.SERIAL, Kind.PARALLEL, Kind.BARE))
        {
            journals.add(new ExchangeJournal(kind, Durability.valueOf(policy)));
        }
        return journals;
    }

    boolean isJournal()
    {
        return kind == Kind.SERIAL || kind == Kind.PARALLEL;
    }

    boolean forcesBatches()
    {
        return durability == Durability.EVERY_BATCH || durability == Durability.EVERY_EVENT;
    }

    /** Name of the contender. */
    String label()
    {
        return kind == Kind.NONE ? ExchangeContender.OURS : kind.name().toLowerCase(Locale.ROOT) + "-" + durability;
    }
}
