package io.millrace.server.pipeline;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/**
 * The unique names of the stages of one pipeline.
 */
final class StageNames
{
    private final Set<String> names = new LinkedHashSet<>();

    String add(final String stage)
    {
        if (!names.add(Objects.requireNonNull(stage, "stage")))
        {
            throw new IllegalArgumentException("stage '" + stage + "' is in this pipeline already: " + names);
        }
        return stage;
    }

    void remove(final String stage)
    {
        names.remove(stage);
    }

    static IllegalArgumentException foreign(final String stage, final EventSubscription<?> after)
    {
        return new IllegalArgumentException("stage '" + stage + "' cannot follow " +
            (after == null ? "null" : "'" + after.stage() + "'") + ": that is not a stage of this pipeline");
    }
}
