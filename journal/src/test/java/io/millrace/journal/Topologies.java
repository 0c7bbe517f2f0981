package io.millrace.journal;

import io.millrace.server.BackPressure;
import io.millrace.server.Flow;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.pipeline.EventHandler;

/**
 * The flows that a journal may be a stage of: serial, parallel in one flow, or parallel across two flows, on one agent
 * or on one each. The values of commands and answers are the numbers of their records.
 */
final class Topologies
{
    private static final int ANSWERS = 256;

    private Topologies()
    {
    }

    /** The values are the numbers of the records, if the journal is new. */
    static void publish(final InVmSource<Command> source, final int first, final int last)
    {
        for (int value = first; value <= last; value++)
        {
            final Command command = source.claim();
            command.value = value;
            command.extra = 0;
            source.publish(command);
        }
    }

    /** Adds journal, accounts and answers to a context: "serial one", "parallel many", "across many", ... */
    static Server.Context add(
        final Server.Context context,
        final String topology,
        final Journal<Command> journal,
        final Accounts accounts,
        final InVmSource<Command> source,
        final Pipelines.Spec<Command> pipeline,
        final BackPressure full,
        final EventHandler<Command> answers)
    {
        final boolean across = topology.startsWith("across");
        final String[] after = topology.startsWith("serial") ? new String[]{"journal"} : new String[0];
        context.service(journal).flow("commands", f ->
        {
            final Flow<Command> flow = f.from(source).through(pipeline).onFull(full)
                .to("journal", journal.stage()).to("accounts", journal.recovering(accounts), after);
            return across ? flow : flow.to("answers", answers, "journal", "accounts");
        });
        if (across)
        {
            final InVmSource<Command> out = new InVmSource<>(Command::new, ANSWERS);
            final long[] record = {0};
            accounts.before = sequence -> record[0] = sequence;
            accounts.published = value ->
            {
                final Command answer = out.claim();
                answer.value = record[0];
                out.publish(answer);
            };
            context.flow("out", f -> f.from(out).onFull(full)
                .to("committed", journal.gate((Command answer) -> answer.value)).to("answers", answers, "committed"))
                .agent("out", a -> a.hosts("committed", "answers"));
        }
        return topology.endsWith("one") ?
            context.agent("all", a -> a.hosts("journal", "accounts", "answers")) : context;
    }
}
