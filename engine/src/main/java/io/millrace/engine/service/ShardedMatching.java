package io.millrace.engine.service;

import io.millrace.engine.MatchingEngine;
import io.millrace.server.BackPressure;
import io.millrace.server.Flow;
import io.millrace.server.HandlerService;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Declares a matching engine on several agents: the symbols are divided into shards, each with a stage and executions
 * of its own. A symbol's shard is {@code floorMod(symbol, shards)}. Results, executions of each symbol and state are
 * those of a {@link MatchingService}, which does all on one agent and is what one takes unless there is a reason.
 * <ul>
 * <li><b>Without users</b> the shards share nothing: the stage of each, {@code NAME-0}, {@code NAME-1} and so on, sees
 * every command and takes those of its symbols, in parallel. Each has room for as many symbols as the context says.
 * Commands that name no symbol are answered by shard 0; TICK and RESET are carried out by all, STATE_HASH is answered
 * by each with its part: they add up.</li>
 * <li><b>With users</b> ({@link MatchingEngine.Context#risk}) there is one engine, because money is shared. A stage
 * {@code NAME-risk} admits each command and passes the engine with it to the stage of its shard, which matches and
 * settles, and gives it back: one thread has the engine at a time. It spreads the books over the caches of several
 * cores, not the work, and costs a hand-over to another core and back for each order command. Commands that name no
 * symbol are answered by the risk stage.</li>
 * </ul>
 * All commands that name a symbol are answered through the executions of its shard, in order. Executions of a TICK come
 * through those of their symbols' shards; its RESULT counts what came through its own.
 * <p>
 * The application reads each shard's executions. With users, neither a shard nor the reader of a shard's executions, or
 * of its {@link #marketData}, may be on the risk stage's agent, unless {@link #inline()}: one would wait for the other,
 * and the server does not start.
 */
public final class ShardedMatching
{
    /**
     * Greatest number of shards: above any number of cores that one would give to one engine.
     */
    public static final int MAX_SHARDS = 64;

    /**
     * Default capacity of each source of executions: 128 KB of events, 32 times the reserve, so that commands seldom
     * wait for a reader.
     */
    public static final int DEFAULT_EXECUTION_CAPACITY = 1_024;

    /**
     * Capacity of the flow to a shard behind a risk stage. One command is under way at a time; a ring's reader makes
     * its position known every eighth of it, so with sixteen there always is room.
     */
    private static final int ADMITTED_CAPACITY = 16;

    /**
     * Where executions go.
     */
    @FunctionalInterface
    public interface Executions
    {
        /**
         * Lead one flow of executions to its readers.
         *
         * @param output which: the number of the shard; with users also the number of shards, for those of the risk
         *               stage.
         * @param flow   from the source, through a ring under BLOCK, or if inline direct under FAIL; to be given at
         *               least one stage.
         * @return the flow.
         */
        Flow<ExecutionEvent> lead(int output, Flow<ExecutionEvent> flow);
    }

    private final MatchingEngine.Context context;
    private final int shards;
    private final MatchingEngine[] engines;
    private String name = MatchingService.DEFAULT_NAME;
    private Function<Flow.Start, ? extends Flow<? extends OrderCommand>> commands;
    private String[] after = {};
    private Executions executions;
    private InVmSource<?>[] marketData = {};
    private int executionCapacity;
    private int reportRows = MatchingService.DEFAULT_REPORT_ROWS;
    private boolean inline;
    private boolean mayReset;

    /**
     * An engine in shards.
     *
     * @param context what the engine is made of, all of its symbols; not to be changed any more.
     * @param shards  how many, 1 to {@value #MAX_SHARDS}.
     * @throws IllegalArgumentException when the number is out of range.
     */
    public ShardedMatching(final MatchingEngine.Context context, final int shards)
    {
        this.context = Objects.requireNonNull(context, "context");
        if (shards < 1 || shards > MAX_SHARDS)
        {
            throw new IllegalArgumentException("shards " + shards + " is not in 1.." + MAX_SHARDS);
        }
        this.shards = shards;
        engines = new MatchingEngine[shards];
    }

    /**
     * Name it.
     *
     * @param newName first part of the names of all flows, stages and counters; without this call {@code matching}.
     * @return this.
     */
    public ShardedMatching name(final String newName)
    {
        name = Objects.requireNonNull(newName, "name");
        return this;
    }

    /**
     * Say where the commands come from.
     *
     * @param source the beginning of a flow: its source, and whatever differs from a ring under FAIL.
     * @param stages stages that it gives the flow and that come before the engine's, as a journal.
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
     * Say where the executions go.
     *
     * @param readers leads the flow of each shard, and of the risk stage, to its readers.
     * @return this.
     */
    public ShardedMatching executions(final Executions readers)
    {
        executions = Objects.requireNonNull(readers, "readers");
        return this;
    }

    /**
     * Say what the listeners of market data publish to, which the engine's context names. With users, whoever has the
     * engine publishes, now the risk stage and now a shard, so these publishing ends pass on with it. Without users
     * each shard's listeners need a source of their own, and there is nothing to pass.
     *
     * @param sources of flows declared behind those of this sharding.
     * @return this.
     */
    public ShardedMatching marketData(final InVmSource<?>... sources)
    {
        marketData = sources.clone();
        return this;
    }

    /**
     * How many events each source of executions has.
     *
     * @param capacity a power of two from {@value MatchingService#MIN_EXECUTION_CAPACITY} on; without this call
     *                 {@value #DEFAULT_EXECUTION_CAPACITY}, inline {@value MatchingService#MIN_EXECUTION_CAPACITY}.
     * @return this.
     */
    public ShardedMatching executionCapacity(final int capacity)
    {
        executionCapacity = capacity;
        return this;
    }

    /**
     * Everything behind the commands is called instead of queued, for shards that share an agent, as in the modes
     * INVOKER and SHARED.
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
     * @param rows how many rows a report command gives at most.
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
     * Make the engines and declare all flows and stages, once.
     *
     * @param server is given them, in the order in which they are to be drained.
     * @return the server's context.
     * @throws IllegalArgumentException when the context of the engine or a capacity is wrong; the message says what.
     * @throws IllegalStateException    when it was called before, or commands or executions are not said.
     */
    public Server.Context addTo(final Server.Context server)
    {
        if (commands == null || executions == null || engines[0] != null)
        {
            throw new IllegalStateException(engines[0] != null ? "sharding '" + name + "' belongs to a server already" :
                "sharding '" + name + "' has no " + (commands == null ? "commands" : "executions"));
        }
        return context.hasRisk() ? addWithUsers(server) : addParallel(server);
    }

    private Server.Context addParallel(final Server.Context server)
    {
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

    private Server.Context addWithUsers(final Server.Context server)
    {
        final PassedExecutions listener = new PassedExecutions();
        final MatchingEngine engine = new MatchingEngine(context, listener);
        final MatchingShard[] stages = new MatchingShard[shards];
        final Output[] outputs = new Output[shards + 1];
        final List<InVmSource<OrderCommand>> admitted = new ArrayList<>();
        for (int i = 0; i < shards; i++)
        {
            outputs[i] = new Output(i, name + "-" + i);
            admitted.add(new InVmSource<>(OrderCommand::new, ADMITTED_CAPACITY));
            stages[i] = new MatchingShard(
                outputs[i].answers(engine), outputs[i].publisher, outputs[i].source, admitted.get(i), inline,
                marketData);
            engines[i] = engine;
        }
        final Output own = new Output(shards, name + "-risk");
        outputs[shards] = own;
        final RiskStage risk = new RiskStage(own.answers(engine), own.publisher, listener, stages, inline);
        server.flow(name + "-commands", start -> lead(commands.apply(start), risk));
        for (final MatchingShard stage : stages)
        {
            final InVmSource<OrderCommand> source = admitted.remove(0);
            server.flow(stage.name() + "-admitted", start -> start.from(source)
                .through(inline ? Pipelines.direct() : Pipelines.ring()).to(stage.name(), stage));
        }
        for (final Output output : outputs)
        {
            server.flow(output.name + "-executions", output::lead);
        }
        return server;
    }

    @SafeVarargs
    private <E extends OrderCommand> Flow<E> lead(final Flow<E> flow, final HandlerService<OrderCommand>... stages)
    {
        for (final HandlerService<OrderCommand> stage : stages)
        {
            flow.to(stage.name(), stage, after);
        }
        return flow;
    }

    /** The executions of one stage: their source, who publishes them, and where they go. */
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
     * The books of a shard, for tests and tools: by the thread that has them, or when the server has closed.
     *
     * @param shard 0 to the number of shards - 1.
     * @return its engine; with users the same for all. Null before {@link #addTo}.
     */
    public MatchingEngine engine(final int shard)
    {
        return engines[shard];
    }

    /**
     * Hash of the whole state, that of one engine with all symbols. When the server has closed.
     *
     * @return 64 bits, see {@link MatchingEngine#stateHash()}.
     * @throws IllegalStateException before {@link #addTo}.
     */
    public long stateHash()
    {
        if (engines[0] == null)
        {
            throw new IllegalStateException("sharding '" + name + "' belongs to no server yet");
        }
        long hash = 0;
        for (int i = 0; i < (context.hasRisk() ? 1 : shards); i++)
        {
            hash += engines[i].stateHash();
        }
        return hash;
    }
}
