package io.millrace.exchange;

import io.millrace.exchange.binary.BinaryProtocol;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.core.ExchangeCore;
import io.millrace.exchange.core.OrderIds;
import io.millrace.exchange.itch.ItchPublisher;
import io.millrace.exchange.session.OrderEntry;
import io.millrace.journal.Journal;
import io.millrace.journal.RecoveryReport;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.CloseHelper;


/**
 * A running exchange: order entry, journal, engine and answers on one server. With two agents:
 * <pre>
 *  agent "entry": sockets -> commands                        answers -> sockets
 *                               |  ring                         ^  ring
 *  agent "core":             journal: write, force -> engine ---+
 * </pre>
 * On {@linkplain ExchangeContext#agents one agent}, the default, the core calls the delivery directly, without the
 * second ring. {@linkplain ExchangeContext#itch ITCH} has an agent of its own. Any thread may call the methods;
 * {@link #close} ends the connections, forces the journal and closes it.
 */
public final class Exchange implements AutoCloseable
{
    private final ExchangeCore core;
    private final OrderEntry entry;
    private final Journal<ExchangeCommand> journal;
    private final ItchOut itch;
    private final Server server;

    private Exchange(
        final ExchangeCore core,
        final OrderEntry entry,
        final Journal<ExchangeCommand> journal,
        final ItchOut itch,
        final Server server)
    {
        this.core = core;
        this.entry = entry;
        this.journal = journal;
        this.itch = itch;
        this.server = server;
        if (itch != null)
        {
            itch.countOn(server);
        }
    }

    /**
     * Recovers the journal and starts to listen.
     *
     * @param context the settings.
     * @return the exchange; close it.
     * @throws IllegalArgumentException                  when a setting is impossible.
     * @throws io.millrace.journal.JournalException      when the journal cannot be used or recovered.
     * @throws java.io.UncheckedIOException              when it cannot listen.
     */
    public static Exchange launch(final ExchangeContext context)
    {
        final OrderIds ids = new OrderIds(OrderIdKey.readOrCreate(context.directory));
        final InVmSource<Answer> answers = new InVmSource<>(Answer::new, context.ringCapacity);
        final ItchOut itch = context.itch == null ? null :
            new ItchOut(context.itch, context.engine, context.ringCapacity);
        Journal<ExchangeCommand> journal = null;
        try
        {
            final ExchangeCore core = new ExchangeCore(context.engine, context.window, ids, answers);
            journal = core.open(
                context.directory.resolve(OrderIdKey.JOURNAL), context.snapshotEvery, context.journal);
            final OrderEntry entry = new OrderEntry(context.sessions, ids);
            entry.diskLow(journal::isDiskLow);
            if (context.isOneAgent())
            {
                // The next duty cycle would write them only after it has read the sockets.
                entry.flushedByCaller(true);
                core.onBatchEnd(entry::flushAll);
            }
            entry.listen(new BinaryProtocol(), context.binaryAddress);
            context.protocols.forEach(each -> entry.listen(each.protocol(), each.address()));
            final Server.Context server = settings(context, core, entry, journal, answers);
            if (itch != null)
            {
                entry.listed(itch.publisher::publishes);
                itch.beginAfterRecovery(core);
                itch.addTo(server);
            }
            context.server.accept(server);
            return new Exchange(core, entry, journal, itch, Server.launch(server));
        }
        catch (final Throwable ex)
        {
            CloseHelper.quietCloseAll(journal, itch == null ? null : itch.publisher::onClose);
            throw ex;
        }
    }

    private static Server.Context settings(
        final ExchangeContext context,
        final ExchangeCore core,
        final OrderEntry entry,
        final Journal<ExchangeCommand> journal,
        final InVmSource<Answer> answers)
    {
        final Server.Context server = new Server.Context().name("exchange").threadingMode(ThreadingMode.DEDICATED)
            .idle(context.idle).service(journal)
            .flow("commands", f -> f.from(ExchangeCommand::new, context.ringCapacity, entry)
                .to("journal", journal.stage()).to("exchange", core, "journal"))
            .flow("executions", f -> f.from(core.executions()).through(Pipelines.direct())
                .to("orders", core.executionHandler()))
            .flow("answers", f -> (context.isOneAgent() ? f.from(answers).through(Pipelines.direct()) :
                f.from(answers).onFull(BackPressure.BLOCK)).to("deliver", entry.answers()));
        return context.isOneAgent() ?
            server.agent("entry", a -> a.hosts("commands-source", "journal", "exchange")) :
            server.agent("entry", a -> a.hosts("commands-source", "deliver"))
                .agent("core", a -> a.hosts("journal", "exchange"));
    }

    /** @return port of the binary protocol. */
    public int port()
    {
        return entry.port(0);
    }

    /**
     * The port of another protocol.
     *
     * @param index 0 for the first one that was added to the context.
     * @return its port.
     * @throws IllegalArgumentException if the context has no such protocol.
     */
    public int port(final int index)
    {
        if (index < 0 || index >= entry.protocolCount() - 1)
        {
            throw new IllegalArgumentException("protocol " + index + " was not added: there are " +
                (entry.protocolCount() - 1) + " beside the binary one, numbered from 0");
        }
        return entry.port(index + 1);
    }

    /** @return the publisher of ITCH, for its addresses; null without {@link ExchangeContext#itch}. */
    public ItchPublisher itch()
    {
        return itch == null ? null : itch.publisher;
    }

    /** @return what was recovered at the start. */
    public RecoveryReport recovered()
    {
        return journal.report();
    }

    /** @return the server, for its counters and its failure. */
    public Server server()
    {
        return server;
    }

    /** @return the journal, for its positions. */
    public Journal<ExchangeCommand> journal()
    {
        return journal;
    }

    /**
     * The core.
     *
     * @return use it after the exchange is closed; before, only read {@link ExchangeCore#engine}, on the core's thread,
     *     by {@link io.millrace.server.Control#run}.
     */
    public ExchangeCore core()
    {
        return core;
    }


    @Override
    public void close()
    {
        server.close();
    }
}
