package io.millrace.server;

import io.millrace.pool.ObjectPoolsRegistry;
import io.millrace.pool.PoolCheck;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Starts the parts of one server in order; {@link Shutdown} ends them.
 */
final class Lifecycle
{
    /** Between two looks at what is still under way. */
    static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Server.Context context;
    private final Failures failures;
    private final Counters counters = new Counters();
    private final ObjectPoolsRegistry pools = new ObjectPoolsRegistry();
    private final List<RunningFlow<?>> flows;
    private final AgentCrew crew;
    private final List<Service> startedServices = new ArrayList<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    /** INVOKER mode: held while the agents run on the caller's thread, and for all of a close. */
    private final ReentrantLock invoking = new ReentrantLock();
    private volatile Thread closer;
    private volatile StallDetector stallDetector;

    private Lifecycle(final Server.Context context)
    {
        this.context = context;
        failures = context.failures();
        final Assembly assembly = new Assembly(context, failures, counters, pools);
        flows = assembly.flows();
        final boolean threads = context.threadingMode() != ThreadingMode.INVOKER;
        crew = new AgentCrew(context.name(), assembly.agents(),
            threads ? agent -> context.idleOf(context.placement().spec(agent.roleName())) : null, failures);
        counters.add("server.errors", "everything that was told to the error handler", failures::errors);
        counters.add("server.deadLetters", "events skipped after their handler threw", failures::deadLetters);
        counters.add("server.stalls", "times that a duty cycle took longer than the stall time",
            () -> stallDetector == null ? 0 : stallDetector.stalls());
    }

    static Lifecycle start(final Server.Context context)
    {
        context.launched();
        final List<InVmSource<?>> taken = takeSources(context);
        boolean started = false;
        try
        {
            final Lifecycle lifecycle = new Lifecycle(context);
            lifecycle.startOrClose();
            started = true;
            return lifecycle;
        }
        finally
        {
            if (!started)
            {
                taken.forEach(InVmSource::giveBack);
            }
        }
    }

    private static List<InVmSource<?>> takeSources(final Server.Context context)
    {
        final List<InVmSource<?>> taken = new ArrayList<>();
        for (final Flow<?> flow : context.flows())
        {
            final InVmSource<?> source = flow.inVmSource();
            if (source != null && !source.take())
            {
                taken.forEach(InVmSource::giveBack);
                throw FlowCheck.sourceIsTaken(flow);
            }
            if (source != null)
            {
                taken.add(source);
            }
        }
        return taken;
    }

    private void startOrClose()
    {
        try
        {
            startServices();
            // Before any handler starts: it may publish to sources of other flows.
            flows.forEach(RunningFlow::attachSource);
            // The last flow first: a direct flow cannot keep for later what a flow before it publishes at its start.
            flows.forEach(flow -> flow.launchedBy(Thread.currentThread()));
            for (int i = flows.size() - 1; i >= 0; i--)
            {
                flows.get(i).startInlineHandlers();
            }
            flows.forEach(flow -> flow.launchedBy(null));
            crew.start();
            startStallDetector();
            flows.forEach(RunningFlow::startPolling);
        }
        catch (final Throwable ex)
        {
            close();
            if (ex instanceof InterruptedException)
            {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("server '" + context.name() + "' could not start: " + ex.getMessage(), ex);
        }
        // Only now: a stop while others still start would leave some of them behind.
        failures.onStop(this::closeFromElsewhere);
        failures.stopIfFatal();
    }

    private void startServices() throws Exception
    {
        final ServiceContext offered = new ServiceContext(context.name(), pools, counters);
        for (final Service service : context.services())
        {
            service.onStart(offered);
            startedServices.add(service);
        }
    }

    private void startStallDetector()
    {
        if (context.stallTimeoutNs() > 0 && crew.hasThreads() && !crew.agents().isEmpty())
        {
            final StallListener listener =
                context.stallListener() != null ? context.stallListener() : this::reportStall;
            final StallDetector detector =
                new StallDetector(context.name(), crew.agents(), context.stallTimeoutNs(), listener, failures);
            detector.start();
            stallDetector = detector;
        }
    }

    private void reportStall(final String agent, final long stalledNs, final StackTraceElement[] stack)
    {
        final Exception where = new Exception("stack of agent '" + agent + "'");
        where.setStackTrace(stack);
        failures.report("agent '" + agent + "' has been in one duty cycle for " +
            TimeUnit.NANOSECONDS.toMillis(stalledNs) + " ms", where);
    }

    int invoke()
    {
        if (crew.hasThreads())
        {
            throw new IllegalStateException(
                "invoke() is for INVOKER mode; this server runs in " + context.threadingMode());
        }
        if (invoking.isHeldByCurrentThread())
        {
            throw new IllegalStateException("invoke() from inside of a handler: it would be called again");
        }
        if (!invoking.tryLock())
        {
            return 0;
        }
        final int work;
        try
        {
            work = crew.invoke();
        }
        finally
        {
            invoking.unlock();
        }
        if (stopping.get())
        {
            close();
        }
        return work;
    }

    private void closeFromElsewhere()
    {
        // In INVOKER mode there is nobody else: the next invoke() finds it, or the one that this call comes from.
        if (stopping.compareAndSet(false, true) && crew.hasThreads() && !closing.get())
        {
            new Thread(this::close, context.name() + "-stop").start();
        }
    }

    void close()
    {
        if (closer == Thread.currentThread())
        {
            // From something that is being closed: waiting for the close would be waiting for itself.
            return;
        }
        if (crew.isOwnThread() || invoking.isHeldByCurrentThread() ||
            flows.stream().anyMatch(RunningFlow::isInsideInlineHandler))
        {
            closeFromElsewhere();
        }
        else if (closing.compareAndSet(false, true))
        {
            closer = Thread.currentThread();
            invoking.lock();
            try
            {
                new Shutdown(context, flows, crew, failures).run(stallDetector, startedServices);
                reportLent();
            }
            finally
            {
                invoking.unlock();
                closer = null;
                closed.countDown();
            }
        }
        else
        {
            awaitClosedQuietly();
        }
    }

    private void reportLent()
    {
        final String lent = PoolCheck.ENABLED ? pools.describeLent() : "";
        if (!lent.isEmpty())
        {
            failures.report("events were not given back: " + lent, null);
        }
    }

    private void awaitClosedQuietly()
    {
        try
        {
            closed.await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    boolean awaitClosed(final long timeoutNs) throws InterruptedException
    {
        return closed.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    boolean awaitExhausted(final long timeoutNs) throws InterruptedException
    {
        if (!crew.hasThreads() || crew.isOwnThread() || flows.stream().anyMatch(RunningFlow::isInsideInlineHandler))
        {
            throw new IllegalStateException("awaitExhausted() waits for the handlers: not on the thread of an agent, " +
                "not inside of a direct flow's handler, and not in INVOKER mode, where invoke() says when nothing is " +
                "left to do");
        }
        final long deadlineNs = System.nanoTime() + timeoutNs;
        final List<Stillness> watches = flows.stream().map(Stillness::new).collect(Collectors.toList());
        while (System.nanoTime() - deadlineNs < 0 && failures.fatal() == null)
        {
            if (areExhausted(watches))
            {
                return flows.stream().noneMatch(RunningFlow::isAnyStageDead);
            }
            // A close stops the sources: what is not exhausted by then never is. What is under way is still handled.
            if (closed.getCount() == 0 || closing.get() && !flows.stream().allMatch(RunningFlow::isExhausted))
            {
                return false;
            }
            if (Thread.interrupted())
            {
                throw new InterruptedException("interrupted while waiting for the sources");
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        return false;
    }

    private boolean areExhausted(final List<Stillness> watches)
    {
        for (int i = 0; i < watches.size(); i++)
        {
            if (!flows.get(i).isExhausted() || !watches.get(i).isReached())
            {
                return false;
            }
        }
        return true;
    }

    Failures failures()
    {
        return failures;
    }

    Counters counters()
    {
        return counters;
    }

    ObjectPoolsRegistry pools()
    {
        return pools;
    }

    Map<String, String> placements()
    {
        final Map<String, String> placements = new LinkedHashMap<>();
        crew.agents().forEach(agent -> placements.put(agent.roleName(), agent.placement()));
        return placements;
    }

    List<String> stalledAgents()
    {
        final StallDetector detector = stallDetector;
        return detector == null ? List.of() : detector.stalled();
    }
}
