package io.millrace.server;

import io.millrace.server.agent.UninterruptedWait;
import org.agrona.concurrent.IdleStrategy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The agents of one server. Starts them in order, each on its own thread or, in INVOKER mode, on the caller's. Ends
 * them in reverse order.
 */
final class AgentGroup
{
    /**
     * Least time for an agent to end: an idle agent parks for a millisecond, and a busy host may suspend it for tens of
     * milliseconds.
     */
    static final long MIN_END_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Interval between two attempts to wake an agent that was about to sleep at the first attempt. */
    private static final long WAKE_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Server.Context context;
    private final List<StageAgent> agents;
    /** The same, for reads by index: it is replaced when an agent joins or leaves. */
    private volatile StageAgent[] present;
    private final Function<StageAgent, IdleStrategy> idle;
    private final Failures failures;
    /** Of each agent that has started on a thread. */
    private final Map<StageAgent, Thread> threads = new ConcurrentHashMap<>();
    /** Of the same agents. */
    private final Map<StageAgent, IdleStrategy> strategies = new ConcurrentHashMap<>();
    /** Agents that a change has told to end. */
    private final Set<StageAgent> leaving = ConcurrentHashMap.newKeySet();
    /** INVOKER mode: held while the agents run on the caller's thread, and by the closing thread once it is free. */
    private final ReentrantLock invoking = new ReentrantLock();
    private final AtomicReference<Runnable> afterwards = new AtomicReference<>();
    /** INVOKER mode, guarded by {@link #invoking}: the thread on which the agents ran last. */
    private Thread invoker;
    private Runnable otherInvoker = () ->
    {
    };
    private volatile Thread launcher;
    /** Whether a thread waits for an agent that has not started. */
    private volatile boolean startAwaited;
    private volatile boolean closing;
    /** INVOKER mode: the close has timed out waiting for an invocation or a change, which then ends the agents. */
    private volatile boolean abandoned;

    /**
     * @param idle of each agent; null: no threads.
     */
    AgentGroup(
        final Server.Context context,
        final List<StageAgent> agents,
        final Function<StageAgent, IdleStrategy> idle,
        final Failures failures)
    {
        this.context = context;
        this.agents = new CopyOnWriteArrayList<>(agents);
        present = agents.toArray(new StageAgent[0]);
        this.idle = idle;
        this.failures = failures;
    }

    /** Call before the start. INVOKER mode: action when a different thread is about to run the agents. */
    void onOtherInvoker(final Runnable action)
    {
        otherInvoker = action;
    }

    boolean hasThreads()
    {
        return idle != null;
    }

    /** The calling thread starts the server; it need not be the one that has built it. */
    void startedHere()
    {
        launcher = Thread.currentThread();
        invoker = Thread.currentThread();
    }

    void start() throws Exception
    {
        for (final StageAgent agent : agents)
        {
            start(agent, Long.MAX_VALUE);
        }
        launcher = null;
    }

    private void start(final StageAgent agent, final long timeoutNs) throws Exception
    {
        // A thread that waits for this agent sets it again.
        startAwaited = false;
        if (hasThreads())
        {
            startThread(agent);
        }
        else
        {
            startHere(agent);
        }
        final Throwable startFailure = agent.awaitStart(timeoutNs);
        if (startFailure != null)
        {
            throw new IllegalStateException(
                "agent '" + agent.roleName() + "': " + Failures.text(startFailure), startFailure);
        }
    }

    /**
     * Start one more agent while the others run; in INVOKER mode between {@link #enter} and {@link #giveBack}, without
     * a time limit.
     */
    void add(final StageAgent agent, final long timeoutNs) throws Exception
    {
        runIfOpen(() ->
        {
            agents.add(agent);
            present = agents.toArray(new StageAgent[0]);
        });
        try
        {
            start(agent, timeoutNs);
        }
        catch (final Throwable ex)
        {
            // One that hangs has had its time; one that failed closes what has started.
            end(agent, agent.hasFailedStart() ? timeoutNs : MIN_END_NS);
            throw ex;
        }
    }

    /** Runs a step of a change before the closing thread looks at what there is to close, or throws. */
    synchronized void runIfOpen(final Runnable step)
    {
        checkOpen();
        step.run();
    }

    /** A change that hung, and that the close did not wait for, throws: nothing may start any more. */
    void checkOpen()
    {
        if (closing)
        {
            throw Changes.closes(context.name());
        }
    }

    /**
     * End one agent while the others run. When it has ended, nothing is left of it. If that takes longer than the time,
     * its own thread sees to it. No effect if it did not start.
     */
    void end(final StageAgent agent, final long timeoutNs)
    {
        if (!agents.contains(agent))
        {
            return;
        }
        leaving.add(agent);
        agent.stop();
        final Thread thread = threads.get(agent);
        if (thread != null)
        {
            LockSupport.unpark(thread);
            if (!UninterruptedWait.join(thread, timeoutNs))
            {
                failures.reportHanging("agent '" + agent.roleName() + "'", thread);
                return;
            }
        }
        // The agent's own thread, if it has run, has done so already.
        agent.onClose();
        removeIfLeaving(agent);
    }

    /** Not while the server closes, which reports the agents that are left. */
    private synchronized void removeIfLeaving(final StageAgent agent)
    {
        if (!closing && leaving.remove(agent))
        {
            threads.remove(agent);
            strategies.remove(agent);
            agents.remove(agent);
            present = agents.toArray(new StageAgent[0]);
        }
    }

    /** The agent of this name that runs, and shall not end; null if there is none. */
    StageAgent find(final String name)
    {
        for (final StageAgent agent : agents)
        {
            if (agent.roleName().equals(name) && agent.isRunning() && !agent.isEnding())
            {
                return agent;
            }
        }
        return null;
    }

    /** INVOKER mode: make the calling thread the agents' thread, between two invocations. False after the timeout. */
    boolean enter(final long timeoutNs)
    {
        try
        {
            if (hasThreads() || !invoking.tryLock(timeoutNs, TimeUnit.NANOSECONDS))
            {
                return hasThreads();
            }
            invokedHere();
            return true;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** INVOKER mode, inside of {@link #enter}: one duty cycle of each agent. */
    int invokeEntered()
    {
        return hasThreads() ? 0 : invokeAll();
    }

    private void startThread(final StageAgent agent)
    {
        final IdleStrategy strategy =
            Objects.requireNonNull(idle.apply(agent), () -> "no idle strategy was returned for agent '" +
                agent.roleName() + "'");
        strategies.forEach(
            (other, used) -> AgentSpec.checkIdle(other.roleName(), used, agent.roleName(), strategy));
        strategies.put(agent, strategy);
        final Thread thread = context.newThread(new AgentLoop(agent, strategy, () ->
        {
            removeIfLeaving(agent);
            runAfterwards();
        }), agent.roleName());
        threads.put(agent, thread);
        thread.start();
    }

    private static void startHere(final StageAgent agent)
    {
        try
        {
            agent.onStart();
        }
        catch (final FailStop ignored)
        {
            // awaitStart() returns the cause.
            agent.onClose();
        }
    }

    /**
     * Whether the calling thread starts the server. Then no other thread can start the agent that it would wait for.
     */
    private boolean isStartedByCaller()
    {
        if (Thread.currentThread() == launcher)
        {
            return true;
        }
        for (final StageAgent agent : present)
        {
            if (agent.isCurrentThread())
            {
                // Only during its start: a duty cycle of a running agent may wait for agents that start later.
                return !agent.isRunning();
            }
        }
        return false;
    }

    /**
     * Whether the calling thread would wait forever for an agent. True if the caller starts the agents and that agent
     * has not started, or may itself wait for one that has not started. Called in each round of a wait.
     *
     * @param agent null if it is not created yet.
     */
    boolean isWaitFutile(final StageAgent agent)
    {
        if (agent != null && agent.isRunning())
        {
            return startAwaited && isStartedByCaller();
        }
        if (isStartedByCaller())
        {
            return true;
        }
        startAwaited = true;
        return false;
    }

    /**
     * INVOKER mode: runs one duty cycle of each agent; does nothing while another thread invokes or the server closes.
     */
    int invoke()
    {
        if (invoking.isHeldByCurrentThread())
        {
            throw new IllegalStateException("invoke() from inside of a handler: it would be called again");
        }
        if (closing || !invoking.tryLock())
        {
            return 0;
        }
        try
        {
            return invokeAll();
        }
        finally
        {
            release();
        }
    }

    /** If the close has given up waiting for this thread, it ends the agents now. */
    private void release()
    {
        invoking.unlock();
        if (abandoned && invoking.tryLock())
        {
            endHere();
            invoking.unlock();
            runAfterwards();
        }
    }

    /**
     * INVOKER mode, the closing thread: runs one duty cycle of each agent; also 0 while an invocation is in progress.
     */
    int invokeClosing()
    {
        return !hasThreads() && takeOver() ? invokeAll() : 0;
    }

    private void invokedHere()
    {
        if (invoker != Thread.currentThread())
        {
            invoker = Thread.currentThread();
            agents.forEach(StageAgent::invokedByCurrentThread);
            otherInvoker.run();
        }
    }

    private int invokeAll()
    {
        invokedHere();
        int work = 0;
        for (final StageAgent agent : present)
        {
            work += invoke(agent);
        }
        return work;
    }

    private static int invoke(final StageAgent agent)
    {
        try
        {
            return agent.isRunning() ? agent.doWork() : 0;
        }
        catch (final FailStop ignored)
        {
            // Reported where it was thrown.
            agent.onClose();
            return 0;
        }
    }

    /** Whether the caller is an agent's thread or invokes an agent. */
    boolean isOwnThread()
    {
        return invoking.isHeldByCurrentThread() || threads.containsValue(Thread.currentThread());
    }

    boolean isExiting()
    {
        return threads.values().stream().anyMatch(ExitingThread::is);
    }

    /** The closing thread, first: from now on no agent sleeps and no further invocation begins. */
    void wake()
    {
        synchronized (this)
        {
            closing = true;
        }
        agents.forEach(StageAgent::wake);
    }

    /** Wake sleeping agents. Called repeatedly by the closing thread, a millisecond or more after {@link #wake()}. */
    void interruptSleepers()
    {
        agents.forEach(StageAgent::interruptIdling);
    }

    /** INVOKER mode, the closing thread: whether no invocation is in progress. If so, none follows. */
    boolean takeOver()
    {
        return hasThreads() || invoking.isHeldByCurrentThread() || invoking.tryLock();
    }

    /** The end of a close, and of what began with {@link #enter}. */
    void giveBack()
    {
        if (invoking.isHeldByCurrentThread())
        {
            release();
        }
    }

    /**
     * End the agents in reverse order of their start. An agent that does not end within its share of the time is
     * reported and abandoned; it ends when the hanging call returns.
     */
    void close(final long timeoutNs)
    {
        // Set the flag, then try once more: either this thread sees the end of the invocation, or the invocation sees
        // the flag.
        abandoned = !takeOver();
        if (abandoned && takeOver())
        {
            abandoned = false;
        }
        final TimeBudget shares = new TimeBudget(timeoutNs, agents.size());
        for (int i = agents.size() - 1; i >= 0; i--)
        {
            final StageAgent agent = agents.get(i);
            agent.stop();
            final long endNs = System.nanoTime() + shares.nextTimeoutNs(MIN_END_NS);
            final Thread thread = threads.get(agent);
            if (abandoned ? agent.isAlive() : thread != null && !hasEnded(agent, thread, endNs))
            {
                failures.reportHanging("agent '" + agent.roleName() + "'", agent.thread());
            }
            else
            {
                // The agent's own thread, if it has one, has done so already.
                agent.onClose();
            }
        }
    }

    private void endHere()
    {
        for (int i = agents.size() - 1; i >= 0; i--)
        {
            // The close may not have stopped the agent yet.
            agents.get(i).stop();
            agents.get(i).onClose();
        }
    }

    private static boolean hasEnded(final StageAgent agent, final Thread thread, final long endNs)
    {
        boolean ended;
        do
        {
            agent.interruptIdling();
            ended = UninterruptedWait.join(thread, Math.min(WAKE_AGAIN_NS, endNs - System.nanoTime()));
        }
        while (!ended && endNs - System.nanoTime() > 0);
        return ended;
    }

    /** An agent that has not ended, for example an abandoned one, even if it hangs in its start; null if none. */
    String stillRunning()
    {
        return agents.stream().filter(StageAgent::isAlive).findFirst()
            .map(agent -> "agent '" + agent.roleName() + "'").orElse(null);
    }

    /** The closing thread: runs the action when no agent runs any more, on the last agent's thread or on this one. */
    void whenAllHaveEnded(final Runnable action)
    {
        afterwards.set(action);
        runAfterwards();
    }

    private void runAfterwards()
    {
        if (afterwards.get() != null && stillRunning() == null)
        {
            final Runnable action = afterwards.getAndSet(null);
            if (action != null)
            {
                action.run();
            }
        }
    }

    List<StageAgent> agents()
    {
        return agents;
    }
}
