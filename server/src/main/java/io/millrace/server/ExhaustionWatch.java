package io.millrace.server;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Detects that the sources of all flows are exhausted and all their events handled. One thread. Flows and stages may
 * come and go meanwhile.
 */
final class ExhaustionWatch
{
    private final List<RunningFlow<?>> flows;
    /** What the watches are made for. */
    private List<Object> parts;
    private List<Quiescence> watches;

    /**
     * @param flows the list may change.
     */
    ExhaustionWatch(final List<RunningFlow<?>> flows)
    {
        this.flows = flows;
    }

    /** Call repeatedly until it returns true. */
    boolean isReached()
    {
        // The flows too: one that its publisher handles has no parts.
        final List<Object> present = new ArrayList<>(flows);
        flows.forEach(flow -> present.addAll(flow.allWork()));
        if (!present.equals(parts))
        {
            parts = present;
            watches = flows.stream().map(Quiescence::new).collect(Collectors.toList());
        }
        for (int i = 0; i < watches.size(); i++)
        {
            if (!watches.get(i).flow().isExhausted() || !watches.get(i).isReached())
            {
                return false;
            }
        }
        return true;
    }
}
