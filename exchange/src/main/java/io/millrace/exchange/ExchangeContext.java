package io.millrace.exchange;

import io.millrace.engine.EngineContext;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.core.ExchangeCore;
import io.millrace.exchange.itch.ItchContext;
import io.millrace.exchange.session.Protocol;
import io.millrace.exchange.session.SessionContext;
import io.millrace.journal.JournalContext;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.Range;
import io.millrace.server.Server;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Settings of an {@link Exchange}. By default it listens on loopback, at a free port.
 */
public final class ExchangeContext
{
    /** Default number of commands in the ring, and of answers in theirs: 8,192 answers wait for 64 clients. */
    public static final int DEFAULT_RING = 8_192;

    /** A protocol beside the binary one, with its address. */
    record Listening(Protocol protocol, InetSocketAddress address)
    {
    }

    final Path directory;
    final EngineContext engine;
    final SessionContext sessions;
    final List<Listening> protocols = new ArrayList<>();
    InetSocketAddress binaryAddress = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ItchContext itch;
    private int agents = 1;
    int window = ExchangeCore.DEFAULT_WINDOW;
    int ringCapacity = DEFAULT_RING;
    long snapshotEvery = 1_000_000;
    UnaryOperator<JournalContext<ExchangeCommand>> journal = UnaryOperator.identity();
    Supplier<IdleStrategy> idle = BackoffIdleStrategy::new;
    Consumer<Server.Context> server = ignored ->
    {
    };

    /**
     * Default settings.
     *
     * @param directory of the journal and the key of the order ids.
     * @param engine    symbols, users, market data.
     * @param sessions  clients and limits.
     */
    public ExchangeContext(final Path directory, final EngineContext engine, final SessionContext sessions)
    {
        this.directory = Objects.requireNonNull(directory, "directory");
        this.engine = Objects.requireNonNull(engine, "engine");
        this.sessions = Objects.requireNonNull(sessions, "sessions");
    }

    /**
     * Where the binary protocol listens.
     *
     * @param address default: loopback, a free port.
     * @return this.
     */
    public ExchangeContext binaryAddress(final InetSocketAddress address)
    {
        binaryAddress = Objects.requireNonNull(address, "address");
        return this;
    }

    /**
     * Adds another protocol.
     *
     * @param protocol makes the coders.
     * @param address  where it listens.
     * @return this.
     */
    public ExchangeContext protocol(final Protocol protocol, final InetSocketAddress address)
    {
        protocols.add(new Listening(Objects.requireNonNull(protocol, "protocol"), address));
        return this;
    }

    /**
     * Publishes the market data as ITCH, on an agent "itch" of its own: {@code docs/protocols/itch-out.md}. The
     * listener of the engine's market data must not be set then. A launch sets it, so each launch, also one after a
     * launch that failed, needs a new context and engine context.
     *
     * @param context addresses and symbols; null for none, the default.
     * @return this.
     */
    public ExchangeContext itch(final ItchContext context)
    {
        itch = context;
        return this;
    }

    /**
     * Number of answers that are kept for each client. It is part of the journal's schema.
     *
     * @param answers a power of two from {@link ExchangeCore#MIN_WINDOW} on; default 4,096.
     * @return this.
     */
    public ExchangeContext window(final int answers)
    {
        window = answers;
        return this;
    }

    /**
     * Capacity of the ring of commands and of that of the answers.
     *
     * @param events a power of two; default {@value #DEFAULT_RING}.
     * @return this.
     */
    public ExchangeContext ringCapacity(final int events)
    {
        ringCapacity = ObjectPool.checkRingCapacity("ringCapacity", events);
        return this;
    }

    /**
     * Writes snapshots. The core executes nothing meanwhile. One that cannot be written is counted by the journal.
     *
     * @param commands one after so many commands; 0 for none; default 1,000,000.
     * @return this.
     */
    public ExchangeContext snapshotEvery(final long commands)
    {
        if (commands < 0)
        {
            throw new IllegalArgumentException("snapshotEvery " + commands + " is negative");
        }
        snapshotEvery = commands;
        return this;
    }

    /**
     * Changes settings of the journal, for example its durability.
     *
     * @param settings gets the context and returns it.
     * @return this.
     */
    public ExchangeContext journal(final UnaryOperator<JournalContext<ExchangeCommand>> settings)
    {
        journal = Objects.requireNonNull(settings, "settings");
        return this;
    }

    /**
     * Number of agents. With one, everything runs on one thread, and sockets wait during a force. With two, "entry" has
     * the sockets and "core" journal and engine: better only if both always have a CPU. {@link #itch ITCH} has another.
     *
     * @param count 1 or 2; default 1.
     * @return this.
     */
    public ExchangeContext agents(final int count)
    {
        agents = Range.check("agents", count, 1, 2);
        return this;
    }

    /**
     * Idle strategies of the agents.
     *
     * @param strategies a new one for each agent; default {@link BackoffIdleStrategy}.
     * @return this.
     */
    public ExchangeContext idle(final Supplier<IdleStrategy> strategies)
    {
        idle = Objects.requireNonNull(strategies, "strategies");
        return this;
    }

    /**
     * Changes the server before its launch: error handler, further flows, services and agents.
     *
     * @param settings gets the context with the exchange's own flows.
     * @return this.
     */
    public ExchangeContext server(final Consumer<Server.Context> settings)
    {
        server = Objects.requireNonNull(settings, "settings");
        return this;
    }

    boolean isOneAgent()
    {
        return agents == 1;
    }
}
