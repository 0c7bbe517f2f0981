package io.millrace.journal;

import io.millrace.journal.SimTally.Count;
import io.millrace.pool.BasePoolAware;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.Agent;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A whole system on a simulated disk, on one thread: clients that retry, journal, handler, answers, keeper and
 * follower, stepped in random order. Processes end by crashes, power failures and faults of the disk, at any file
 * operation, and the next one recovers. Checked against a reference: no acknowledged command is lost, none is applied
 * twice, answers come in log order, every state is that of a prefix, and when the faults stop everything is served.
 * <p>
 * The seed decides everything: two runs of a seed do the same file operations.
 *
 * @param <E> type of the commands.
 */
public final class Simulation<E extends BasePoolAware> implements SimApplication.Answers
{
    private static final Path DIRECTORY = Path.of("/simulated/journal");
    private static final int MAX_STARTS = 60;
    private static final int MAX_STEPS = 60_000;
    private static final long MAX_STEP_NS = TimeUnit.SECONDS.toNanos(1);

    private final SimApplication<E> application;
    private final SimPlan plan;
    private final SimTally tally;
    private final SimTrace trace;
    private final SimHistory<E> history;
    private final SimClients<E> clients;
    private final SimOperator<E> operator;
    final SimDisk disk;
    private Journal<E> journal;
    private Server server;
    private Agent follower;
    private Agent running;
    private boolean nested;
    private boolean started;
    private boolean failed;
    private boolean rotten;
    private boolean refusedForGood;
    private long committed;
    private long committedBefore;
    private AssertionError violation;

    Simulation(final long seed, final SimApplication<E> application, final SimTally tally)
    {
        this.application = application;
        this.tally = tally;
        trace = new SimTrace(seed);
        disk = new SimDisk(trace);
        disk.between = this::interleave;
        plan = new SimPlan(trace, application.topologies());
        plan.applyTo(disk);
        history = new SimHistory<>(application, application.context(DIRECTORY).codec);
        clients = new SimClients<>(plan.clients, application, trace, history);
        operator = new SimOperator<>(DIRECTORY, application, disk, trace, tally, history, clients);
    }

    /** Runs to the end; throws an AssertionError when a promise is broken. Returns the hash of all that happened. */
    long run()
    {
        for (int life = 0; life < plan.lives && !refusedForGood; life++)
        {
            plan.next(disk);
            if (start())
            {
                steps(plan.steps());
            }
            end();
        }
        disk.heal();
        finish();
        tally.add(Count.SEEDS, 1);
        tally.add(Count.FILE_OPERATIONS, disk.operations);
        tally.add(Count.RECORDS, history.size());
        tally.add(Count.ANSWERS, clients.answers);
        return trace.hash();
    }

    /** When the faults have stopped, all requests are answered, and the last state is that of the whole log. */
    private void finish()
    {
        long target = clients.answers + 2L * clients.count();
        for (int starts = 0; !refusedForGood && (clients.answers < target || clients.isAnyWaiting()); starts++)
        {
            if (starts == MAX_STARTS)
            {
                throw new AssertionError("after " + starts + " starts without a fault requests have no answer");
            }
            if (start())
            {
                int left = MAX_STEPS;
                while (!failed && left-- > 0 && (clients.answers < target || clients.isAnyWaiting()))
                {
                    clients.ends = clients.answers >= target;
                    step();
                }
                if (left <= 0)
                {
                    throw new AssertionError("nothing is answered although no fault is left");
                }
            }
            if (!failed)
            {
                target = clients.answers;
            }
            end();
        }
        clients.ends = true;
        for (int last = 0; last < 2 && !refusedForGood; last++)
        {
            if (start())
            {
                close();
            }
            end();
        }
    }

    private boolean start()
    {
        trace.add("start", "", 0);
        tally.add(Count.STARTS, 1);
        started = false;
        failed = false;
        journal = null;
        follower = null;
        final InVmSource<E> source = new InVmSource<>(application::command, plan.capacity);
        final Server.Context context = new Server.Context().threadingMode(ThreadingMode.INVOKER).stallTimeoutNs(0)
            .drainTimeoutNs(0).errorHandler(this::onFailure);
        try
        {
            journal = Journal.open(plan.applyTo(application.context(DIRECTORY)).fileOps(disk).clock(trace));
            // Starts no thread: this one steps the keeper.
            journal.keeper();
            if (plan.followEvery > 0)
            {
                follower = journal.follow(application.copy(journal, this), plan.followEvery);
            }
            application.addFlows(context, journal, source, plan.topology, this);
            server = Server.launch(context);
        }
        catch (final JournalException | IllegalStateException ex)
        {
            refused(ex);
            throwViolation();
            return false;
        }
        throwViolation();
        if (rotten)
        {
            history.rotted(committedBefore);
        }
        final RecoveryReport report = journal.report();
        history.recovered(report.sequence(), application.stateHash());
        tally.add(Count.REPLAYED_RECORDS, report.replayed());
        tally.add(Count.SNAPSHOT_FALLBACKS, report.snapshotFallbacks());
        tally.add(Count.TORN_TAILS, report.tornBytes() > 0 ? 1 : 0);
        tally.add(Count.STARTS_FROM_A_SNAPSHOT, report.snapshot() > 0 ? 1 : 0);
        trace.add("recovered", "", report.sequence());
        committed = report.sequence();
        // The last batch before the start is still the last one in the log.
        committedBefore = Math.min(committedBefore, committed);
        clients.connect(source, journal);
        started = true;
        return true;
    }

    private void refused(final RuntimeException ex)
    {
        tally.add(Count.REFUSED_STARTS, 1);
        failed = true;
        refusedForGood = operator.refusesForGood(ex, rotten);
    }

    private void onFailure(final Throwable ex)
    {
        // The server calls it at once. The process ends here: what the close still does must reach neither disk nor
        // clients.
        if (!failed && started)
        {
            failed = true;
            if (!disk.isCrashed() && !disk.isFaulted() && !application.isExpected(ex) && violation == null)
            {
                violation = new AssertionError("the server stopped without a reason", ex);
            }
            if (!disk.isCrashed())
            {
                disk.crash();
            }
        }
    }

    private void throwViolation()
    {
        if (violation != null)
        {
            throw violation;
        }
    }

    private void steps(final int count)
    {
        for (int i = 0; i < count && !failed && !disk.isCrashed(); i++)
        {
            step();
        }
        if (plan.isClosing() && !failed && !disk.isCrashed())
        {
            close();
        }
    }

    /** One of the agents, clients or the operator works; time passes. */
    private void step()
    {
        trace.pass(1_000L << trace.below(20));
        final int draw = trace.below(100);
        if (draw < 45)
        {
            clients.step(trace.below(clients.count()));
        }
        else if (draw < 75)
        {
            invoke();
        }
        else if (draw < 90)
        {
            work(journal.segmentKeeper());
        }
        else if (draw < 98)
        {
            work(follower);
        }
        else if (draw == 98)
        {
            journal.requestSnapshot();
        }
        else
        {
            trace.pass(trace.below((int)MAX_STEP_NS));
            disk.free();
        }
        throwViolation();
    }

    private void work(final Agent agent)
    {
        if (agent == null || running == agent)
        {
            return;
        }
        final Agent before = running;
        running = agent;
        try
        {
            agent.doWork();
        }
        catch (final Exception ex)
        {
            violation = new AssertionError(agent.roleName() + " threw", ex);
        }
        finally
        {
            running = before;
        }
    }

    private void invoke()
    {
        final long before = journal.committedSequence();
        server.invoke();
        if (journal.committedSequence() > before)
        {
            committed = journal.committedSequence();
            committedBefore = plan.isEachCommitted() ? committed - 1 : before;
        }
    }

    /** As if other threads ran while this one is in the operating system; none enters where a lock would stop it. */
    private void interleave()
    {
        if (!nested && started && !failed && trace.oneIn(12) && !Thread.holdsLock(journal.segmentKeeper()))
        {
            nested = true;
            if (trace.oneIn(2))
            {
                work(journal.segmentKeeper());
            }
            else if (!Thread.holdsLock(journal))
            {
                if (running == follower && running != null)
                {
                    invoke();
                }
                else
                {
                    work(follower);
                }
            }
            nested = false;
        }
    }

    /** An end without a crash: events in flight are handled first. */
    private void close()
    {
        int left = MAX_STEPS;
        while (!failed && server.invoke() > 0)
        {
            if (left-- == 0)
            {
                throw new AssertionError("the server does not come to rest");
            }
        }
        throwViolation();
        if (failed || disk.isCrashed())
        {
            return;
        }
        started = false;
        committed = journal.committedSequence();
        if (history.answered() != committed || committed != history.size())
        {
            throw new AssertionError(history.size() + " records, " + committed + " committed, " + history.answered() +
                " answered when the server was at rest");
        }
        try
        {
            journal.close();
            history.survives(committed, committed);
        }
        catch (final JournalException ex)
        {
            if (!disk.isFaulted() && journal.failure() == null)
            {
                throw new AssertionError("the journal could not be closed", ex);
            }
            started = true;
        }
    }

    /** The process has ended, or ends here. What it has committed survives; the disk decides on the rest. */
    private void end()
    {
        throwViolation();
        final boolean reboots = disk.isFaulted() && disk.fault() == SimDisk.Fault.EIO;
        final boolean powerFails = reboots || trace.oneIn(2);
        if (started)
        {
            committed = journal.committedSequence();
            history.survives(committed, plan.isForced() ? committed : journal.durableSequence());
        }
        started = false;
        if (journal != null && !disk.isCrashed())
        {
            disk.crash();
        }
        if (powerFails)
        {
            history.powerFailed();
            tally.add(Count.POWER_FAILURES, 1);
        }
        else
        {
            tally.add(Count.KILLS, 1);
        }
        disk.restart(powerFails);
        if (plan.deletesCovered())
        {
            operator.deleteCovered(rotten);
        }
        if (!rotten && plan.rots())
        {
            rotten = disk.rot() != null;
            tally.add(Count.ROTTEN_BITS, rotten ? 1 : 0);
        }
    }

    @Override
    public void onState(final long record, final long stateHash)
    {
        try
        {
            if (!disk.isCrashed())
            {
                history.check("replay", record, stateHash);
                tally.add(Count.CHECKED_STATES, 1);
            }
        }
        catch (final AssertionError ex)
        {
            violation = ex;
            throw ex;
        }
    }

    @Override
    public void onAnswer(
        final long record, final int client, final long number, final int result, final long stateHash)
    {
        try
        {
            if (record > journal.committedSequence())
            {
                throw new AssertionError("record " + record + " is answered, but not committed");
            }
            if (!disk.isCrashed())
            {
                history.answer(record, client, number, result, stateHash);
                clients.answer(client, number);
            }
        }
        catch (final AssertionError ex)
        {
            violation = ex;
            throw ex;
        }
    }
}
