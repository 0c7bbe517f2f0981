package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.MatchingEngine;
import io.millrace.pool.Range;
import io.millrace.server.BackPressure;
import io.millrace.server.Flow;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;

import java.util.Objects;
import java.util.function.Function;

/**
 * Declares a matching engine without users on several agents. The symbols are divided into shards that share nothing
 * and run in parallel. A symbol belongs to the shard {@code floorMod(symbol, shards)}. Results, each symbol's
 * executions and the state are the same as with a {@link MatchingService}. The service runs all symbols on one agent
 * and is the default choice.
 * <ul>
 * <li>The stage of each shard, {@code NAME-0}, {@code NAME-1} and so on, sees every command and executes the commands
 * of its symbols. Each shard has the symbol capacity and the added capacity of the context.</li>
 * <li>Each shard answers the commands that name its symbols, in their order.</li>
 * <li>Shard 0 answers commands that name no symbol. All shards execute TICK, RESET and MASS_CANCEL_USER. The executions
 * of these go through the shards of their symbols; the RESULT counts the executions of shard 0.</li>
 * <li>Each shard answers STATE_HASH with its part. The parts add up to the hash of one engine.</li>
 * </ul>
 * An engine with users ({@link EngineContext#risk}) is refused, because the shards would share the users'
 * money: run it as one {@link MatchingService}. The application reads the executions of each shard.
 */
public final class ShardedMatching
{
    /**
     * Greatest number of shards, above any sensible number of cores for one engine.
     */
    public static final int MAX_SHARDS = 64;

    /**
     * Default capacity of each source of executions: 128 KB of events, 32 times the reserve, so that commands seldom
     * wait for a reader.
     */
    public static final int DEFAULT_EXECUTION_CAPACITY = 1_024;

    /** Connects the executions to their readers. */
    @FunctionalInterface
    public interface Executions
    {
        /**
         * Connects one flow of executions to its readers.
         * @param shard number of the shard, from 0.
         * @param flow  the flow from the source: through a ring under BLOCK, or direct under FAIL if inline. It needs
         *              at least one stage.
         * @return the flow.
         */
        Flow<ExecutionEvent> lead(int shard, Flow<ExecutionEvent> flow);
    }

    private final EngineContext context;
    private final int shards;
    private final MatchingEngine[] engines;
    private String name = MatchingService.DEFAULT_NAME;
    private Function<Flow.Start, ? extends Flow<? extends OrderCommand>> commands;
    private String[] after = {};
    private Executions executions;
    private int executionCapacity;
    private int reportRows = MatchingService.DEFAULT_REPORT_ROWS;
    private boolean inline;
    private boolean mayReset;

    /**
     * An engine in shards. The market-data listeners of the context run on the threads of their symbols' shards, so
     * each shard needs its own source of market data.
     * @param context all symbols of the engine, without users; do not change it afterwards.
     * @param shards  number of shards, 1 to {@value #MAX_SHARDS}.
     * @throws IllegalArgumentException when the number is out of range.
     */
    public ShardedMatching(final EngineContext context, final int shards)
    {
        this.context = Objects.requireNonNull(context, "context");
        this.shards = Range.check("shards", shards, 1, MAX_SHARDS);
        engines = new MatchingEngine[shards];
    }

    /**
     * Sets the name.
     *
     * @param name first part of the names of all flows, stages and counters; default {@code matching}.
     * @return this.
     */
    public ShardedMatching name(final String name)
    {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the source of the commands.
     *
     * @param source the beginning of a flow: its source, pipeline and back-pressure; by default a ring under FAIL.
     * @param stages its stages before the engine's stages, such as a journal.
     * @return this.
     */
    public ShardedMatching commands(
        final Function<Flow.Start, ? extends Flow<? extends OrderCommand>> source, final String... stages)
    {
        commands = Objects.requireNonNull(source, "source");
        after = stages.clone();
        return this;
    }

    /**
     * Sets the readers of the executions.
     * @param readers connects the flow of each shard to its readers.
     * @return this.
     */
    public ShardedMatching executions(final Executions readers)
    {
        executions = Objects.requireNonNull(readers, "readers");
        return this;
    }

    /**
     * Sets the capacity of each source of executions.
     *
     * @param capacity a power of two from {@value MatchingService#MIN_EXECUTION_CAPACITY}; default
     *                 {@value #DEFAULT_EXECUTION_CAPACITY}, inline {@value MatchingService#MIN_EXECUTION_CAPACITY}.
     * @return this.
     */
    public ShardedMatching executionCapacity(final int capacity)
    {
        executionCapacity = capacity;
        return this;
    }

    /**
     * Calls the readers of the executions directly instead of through a queue. For shards that share an agent, as in
     * the modes INVOKER and SHARED.
     *
     * @return this.
     */
    public ShardedMatching inline()
    {
        inline = true;
        return this;
    }

    /**
     * As {@link MatchingService#reportRows}.
     *
     * @param rows greatest number of rows for each report command.
     * @return this.
     */
    public ShardedMatching reportRows(final int rows)
    {
        reportRows = rows;
        return this;
    }

    /**
     * As {@link MatchingService#allowReset}: for tests.
     *
     * @return this.
     */
    public ShardedMatching allowReset()
    {
        mayReset = true;
        return this;
    }

    /**
     * Creates the engines and declares all flows and stages, once.
     *
     * @param server receives the flows in the order in which they are drained.
     * @return the server's context.
     * @throws IllegalArgumentException when the engine has users, or its context or a capacity is wrong; the message
     *                                  names the problem.
     * @throws IllegalStateException    when it was called before, or commands or executions are not set.
     */
    public Server.Context addTo(final Server.Context server)
    {
        if (commands == null || executions == null || engines[0] != null)
        {
            throw new IllegalStateException(engines[0] != null ?
                "sharding '" + name + "' was already added to a server" :
                "sharding '" + name + "' has no " + (commands == null ? "commands" : "executions"));
        }
        if (context.hasRisk())
        {
            throw new IllegalArgumentException("sharding '" + name + "' has an engine with users: shards would share " +
                "their money. Use one MatchingService for all symbols, or leave out EngineContext.risk");
        }
        final ParallelShard[] stages = new ParallelShard[shards];
        final Output[] outputs = new Output[shards];
        for (int i = 0; i < shards; i++)
        {
            outputs[i] = new Output(i, name + "-" + i);
            engines[i] = new MatchingEngine(context.shard(i, shards), outputs[i].publisher);
            stages[i] = new ParallelShard(outputs[i].answers(engines[i]), i, shards);
        }
        server.flow(name + "-commands", start -> lead(commands.apply(start), stages));
        for (final Output output : outputs)
        {
            server.flow(output.name + "-executions", output::lead);
        }
        return server;
    }

    private <E extends OrderCommand> Flow<E> lead(final Flow<E> flow, final ParallelShard[] stages)
    {
        for (final ParallelShard stage : stages)
        {
            flow.to(stage.name(), stage, after);
        }
        return flow;
    }

    /** The executions of one shard: source, publisher and flow. */
    private final class Output
    {
        final int number;
        final String name;
        final InVmSource<ExecutionEvent> source;
        final ExecutionPublisher publisher;

        Output(final int number, final String name)
        {
            this.number = number;
            this.name = name;
            source = new InVmSource<>(ExecutionEvent::new, executionCapacity != 0 ? executionCapacity :
                inline ? MatchingService.MIN_EXECUTION_CAPACITY : DEFAULT_EXECUTION_CAPACITY);
            publisher = new ExecutionPublisher(source);
        }

        MatchingService answers(final MatchingEngine engine)
        {
            final MatchingService answers = new MatchingService(name, engine, publisher).reportRows(reportRows);
            return mayReset ? answers.allowReset() : answers;
        }

        Flow<ExecutionEvent> lead(final Flow.Start start)
        {
            final Flow<ExecutionEvent> flow = start.from(source);
            return executions.lead(number, inline ? flow.through(Pipelines.direct()) : flow.onFull(BackPressure.BLOCK));
        }
    }

    /**
     * The engine of a shard, for tests and tools: on the shard's thread, or after the server has closed.
     *
     * @param shard 0 to the number of shards - 1.
     * @return its engine; null before {@link #addTo}.
     */
    public MatchingEngine engine(final int shard)
    {
        return engines[shard];
    }

    /**
     * Hash of the whole state, equal to the hash of one engine with all symbols. Call it after the server has closed.
     *
     * @return 64 bits, see {@link MatchingEngine#stateHash()}.
     * @throws IllegalStateException before {@link #addTo}.
     */
    public long stateHash()
    {
        if (engines[0] == null)
        {
            throw new IllegalStateException("sharding '" + name + "' has not been added to a server");
        }
        long hash = 0;
        for (int i = 0; i < shards; i++)
        {
            hash += engines[i].stateHash();
        }
        return hash;
    }
}
