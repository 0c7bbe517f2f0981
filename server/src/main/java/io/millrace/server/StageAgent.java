package io.millrace.server;

import io.millrace.pool.PaddedLong;
import io.millrace.server.agent.CpuPlacement;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * An agent of a server: each duty cycle polls its sources and stages, on one thread. Changes of a running agent are
 * requests, which its thread carries out between two duty cycles.
 * <p>
 * It ends only by a {@link FailStop}. An {@code AgentTerminationException} of the user's code is an ordinary failure.
 */
final class StageAgent implements Agent
{
    private final String name;
    private final AgentSpec spec;
    private final NanoClock clock;
    /** Null if its duty cycles are not measured. */
    private final CycleMeter meter;
    private final ErrorPolicy policy;
    private final boolean ownThread;
    private final Failures failures;
    private final PaddedLong cycles = new PaddedLong(0);
    /** 1 while the thread is in its idle strategy. Padded: a spinning agent writes it all the time. */
    private final PaddedLong idling = new PaddedLong(0);
    private final FailStop failStop;
    /** What the stall detector knows of this agent. */
    private final StallDetector.Watch watch = new StallDetector.Watch();
    private final FailStop stopped;
    private final FailStop endedUnasked;
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile Thread thread;
    private volatile Throwable startFailure;
    private final AgentRequests requests;
    /**
     * Whether the next duty cycle has to look at the requests, {@link #stop} and {@link #woken}: written after them.
     * The only word that a duty cycle reads.
     */
    private volatile boolean requested;
    private volatile boolean stop;
    private volatile boolean running;
    private volatile boolean over;
    private volatile boolean woken;
    /** Written by the agent's thread, read by any thread for counters. */
    private volatile Scheduler timers;
    private volatile boolean isIdle;
    private volatile List<String> pausedParts = List.of();
    private volatile String placement = "not asked for a cpu";

    // The agent's thread only, after the start.
    /** All parts, in the order of their start. */
    private final List<AgentWork> hosted;
    private final Set<AgentWork> paused = new HashSet<>();
    /** The parts that are not paused. */
    private AgentWork[] duties = {};
    private int startedWork;
    private volatile FailStop failure;
    private boolean failed;

    /**
     * @param clock     of its timers.
     * @param policy    for failing timers.
     * @param ownThread false in INVOKER mode.
     */
    StageAgent(
        final AgentSpec spec,
        final List<AgentWork> duties,
        final NanoClock clock,
        final ErrorPolicy policy,
        final boolean ownThread,
        final Failures failures)
    {
        this.ownThread = ownThread;
        this.clock = clock;
        meter = spec.isMeasured() ? new CycleMeter() : null;
        this.policy = policy;
        name = spec.name();
        requests = new AgentRequests(name);
        this.spec = spec;
        hosted = new ArrayList<>(duties);
        this.failures = failures;
        failStop = failures.failStop("agent '" + name + "' failed");
        stopped = new FailStop("agent '" + name + "' was stopped");
        endedUnasked = failures.failStop("agent '" + name + "' ended without being stopped: its thread was " +
            "interrupted, or its idle strategy failed");
        duties.forEach(duty -> duty.hostedBy(this));
    }

    @Override
    public void onStart()
    {
        thread = Thread.currentThread();
        requests.begin();
        try
        {
            if (spec.cpu() != AgentSpec.NO_CPU)
            {
                placement = CpuPlacement.pinCurrentThread(spec.cpu());
            }
            while (startedWork < hosted.size() && !stop)
            {
                // Count first, because close() is called for work whose start failed halfway.
                startedWork++;
                hosted.get(startedWork - 1).onStart();
            }
            selectDuties();
            running = true;
        }
        catch (final Throwable ex)
        {
            startFailure = ex;
            Failures.keepInterrupt(ex);
            // No duty cycle may follow.
            throw new FailStop("agent '" + name + "' could not start").of(ex);
        }
        finally
        {
            started.countDown();
        }
    }

    @Override
    public int doWork()
    {
        // Release: pairs with the acquire in cycles(). A thread that sees this cycle sees the work of the one before.
        cycles.setRelease(cycles.getPlain() + 1);
        if (requested)
        {
            onRequested();
        }
        final long beginNs = meter == null ? 0 : meter.begin();
        final AgentWork[] all = duties;
        int work = 0;
        try
        {
            for (int i = 0; i < all.length; i++)
            {
                work += all[i].doWork();
            }
        }
        catch (final FailStop ex)
        {
            failed = true;
            failure = ex;
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw failed(ex);
        }
        if (meter != null)
        {
            meter.end(beginNs, work);
        }
        return work;
    }

    private void onRequested()
    {
        // First, because a request that is added while they are read sets it again.
        requested = false;
        if (woken && !paused.isEmpty())
        {
            // The events of paused parts are handled before the server closes.
            paused.clear();
            selectDuties();
        }
        requests.runAll();
        // Last: what was requested before the stop is carried out.
        if (stop)
        {
            throw stopped;
        }
    }

    /** Add a message to the agent. It runs at the begin of the next duty cycle. Any thread. */
    void request(final AgentRequest<?> request)
    {
        requests.add(request);
        requested = true;
        // Ends a park of the idle strategy, not a sleep.
        LockSupport.unpark(thread);
        if (over)
        {
            requests.addedLate(request);
        }
    }

    private void selectDuties()
    {
        final List<AgentWork> selected = new ArrayList<>(hosted);
        selected.removeAll(paused);
        duties = selected.toArray(new AgentWork[0]);
        pausedParts = paused.stream().map(AgentWork::name).sorted().collect(Collectors.toList());
        isIdle = hosted.stream().allMatch(duty -> timers != null && duty == timers.polling());
    }

    /** Whether no part is left. Any thread. */
    boolean isIdle()
    {
        return isIdle;
    }

    /** Names of the paused parts. Any thread. */
    List<String> pausedParts()
    {
        return pausedParts;
    }

    /** Add a part that has started; timers come first. The agent's thread. */
    void add(final int index, final AgentWork duty)
    {
        hosted.add(index, duty);
        startedWork++;
        selectDuties();
    }

    /** As {@link #add(int, AgentWork)}, as the last part. */
    void add(final AgentWork duty)
    {
        add(hosted.size(), duty);
    }

    /** The agent's thread, from its start on: its timers, which are polled from then on. */
    Scheduler timers()
    {
        if (timers == null)
        {
            timers = new Scheduler(this, clock, policy, failures);
            add(0, timers.polling());
        }
        return timers;
    }

    /** Any thread: the timers; null if no part has used them. */
    Scheduler timersIfUsed()
    {
        return timers;
    }

    /** Start a part and add it; if it does not start, it is closed. The agent's thread. */
    void startAndAdd(final AgentWork duty) throws Exception
    {
        try
        {
            duty.onStart();
            add(duty);
        }
        catch (final Throwable ex)
        {
            duty.onClose();
            throw ex;
        }
    }

    /**
     * Remove a part, which is not closed here. The agent's thread; if the agent has ended, that of a change. False if
     * it is not hosted.
     */
    boolean remove(final AgentWork duty)
    {
        final boolean removed = hosted.remove(duty);
        if (removed)
        {
            // It is 0 if the agent has ended, which has closed all parts.
            startedWork = Math.max(0, startedWork - 1);
            paused.remove(duty);
            selectDuties();
        }
        return removed;
    }

    /** Stop or continue polling a part. The agent's thread. */
    void pause(final AgentWork duty, final boolean now)
    {
        if (now && !woken && hosted.contains(duty) ? paused.add(duty) : paused.remove(duty))
        {
            selectDuties();
            if (now)
            {
                // Not at once: a handler may pause its own stage, whose poll has not ended.
                request(new AgentRequest<>(() ->
                {
                    if (paused.contains(duty))
                    {
                        duty.onPaused();
                    }
                    return null;
                }));
            }
        }
    }

    /** Called by the agent's thread when its work or the idle strategy threw; no duty cycle follows. */
    FailStop failed(final Throwable cause)
    {
        failed = true;
        failure = failStop.of(cause);
        return failures.stop(ErrorPolicy.STOP_SERVER, failure);
    }

    /**
     * A second call has no effect. Interrupts are cleared during the close and restored at the end.
     */
    @Override
    public void onClose()
    {
        over = true;
        boolean interrupted = Thread.interrupted();
        while (startedWork > 0)
        {
            startedWork--;
            try
            {
                hosted.get(startedWork).onClose();
            }
            catch (final Throwable ex)
            {
                failures.report("closing agent '" + name + "'", ex);
            }
            interrupted |= Thread.interrupted();
        }
        final boolean unasked = running && !stop && !failed;
        running = false;
        requests.end();
        if (unasked)
        {
            failures.stop(ErrorPolicy.STOP_SERVER, endedUnasked);
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String roleName()
    {
        return name;
    }

    boolean hasOwnThread()
    {
        return ownThread;
    }

    CycleMeter meter()
    {
        return meter;
    }

    StallDetector.Watch watch()
    {
        return watch;
    }

    AgentSpec spec()
    {
        return spec;
    }

    /** Wait until the agent's thread has called every {@code onStart}; returns the exception of one, or null. */
    Throwable awaitStart(final long timeoutNs) throws InterruptedException
    {
        return started.await(timeoutNs, TimeUnit.NANOSECONDS) ? startFailure :
            new TimeoutException("it did not start in time, and ends when its start returns");
    }

    /** Whether an {@code onStart} has thrown. Any thread. */
    boolean hasFailedStart()
    {
        return startFailure != null;
    }

    /** End at the next duty cycle. Any thread. */
    void stop()
    {
        stop = true;
        requested = true;
    }

    AgentState state()
    {
        return failure != null ? AgentState.FAILED : over ? AgentState.ENDED :
            !running ? AgentState.STARTING : watch.stalled ? AgentState.STALLED : AgentState.RUNNING;
    }

    void addProblems(final List<String> down, final List<String> degraded)
    {
        final FailStop cause = failure;
        if (cause != null)
        {
            down.add("agent '" + name + "' has ended: " + cause.getMessage() + ": " + Failures.text(cause.getCause()));
        }
        else if (watch.stalled && running)
        {
            down.add("agent '" + name + "' is stalled");
        }
        pausedParts.forEach(part -> degraded.add("'" + part + "' is paused"));
    }

    /** True from the end of the start to the end of the close. Any thread. */
    boolean isRunning()
    {
        return running;
    }

    /** True from the beginning of the start, in which the agent may hang too, to the end of the close. Any thread. */
    boolean isAlive()
    {
        return requests.isAlive();
    }

    /** Whether the agent has closed its parts. False also before its thread begins. Any thread. */
    boolean hasClosed()
    {
        return over && !requests.isAlive();
    }

    /** Whether the agent has ended or is about to end, and does no more work. Any thread. */
    boolean isEnding()
    {
        return over || stop;
    }

    /** INVOKER mode: set the invoking thread, which may differ from the starting thread. */
    void invokedByCurrentThread()
    {
        final Thread current = Thread.currentThread();
        if (thread != current)
        {
            thread = current;
        }
    }

    /** Called by the agent's thread before and after a call of the idle strategy in an empty cycle. */
    void idling(final boolean now)
    {
        // Opaque, no fence: the closing thread gives it a millisecond to become visible, see AgentGroup.wake().
        idling.setOpaque(now ? 1 : 0);
    }

    /**
     * Called by the closing thread: from now on the agent does not call its idle strategy, which may sleep for long.
     * Paused parts continue.
     */
    void wake()
    {
        woken = true;
        requested = true;
    }

    boolean isWoken()
    {
        return woken;
    }

    /** End a sleep of the idle strategy. Called by the closing thread, a moment after {@link #wake()}. */
    synchronized void interruptIdling()
    {
        if (idling.getOpaque() != 0)
        {
            thread.interrupt();
        }
    }

    /**
     * Clear the interrupt that ended the sleep. Called by the agent's thread after the idle strategy, if it was woken.
     */
    synchronized void forgetInterrupt()
    {
        Thread.interrupted();
    }

    boolean isCurrentThread()
    {
        return thread == Thread.currentThread();
    }

    /** Null before the start. */
    Thread thread()
    {
        return thread;
    }

    long cycles()
    {
        return cycles.getAcquire();
    }

    String placement()
    {
        return placement;
    }
}
