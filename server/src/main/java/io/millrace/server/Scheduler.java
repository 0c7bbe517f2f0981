package io.millrace.server;

import io.millrace.pool.PaddedLong;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.NanoClock;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * Timers of one agent, on a hashed timer wheel: each tick has a list of timers. A task runs on the agent's thread at
 * the begin of a duty cycle, never early, and at most one tick ({@value #TICK_NS} ns, about a millisecond) and one duty
 * cycle late. The wheel is read once a tick, so a duty cycle costs the same with one timer and with 100,000.
 * <p>
 * The time is the agent's clock. In a flow with {@link Flow#eventTime} it is the time of the present event: tasks that
 * are due by then run before the event. With the same input and the same clock, the same tasks run in the same order.
 * Tasks of one tick run in the order in which they were added.
 * <p>
 * A timer does not allocate, except when there are more than ever before. The agent's thread only. An exception of a
 * task is handled by the agent's error policy. Timers end with the agent: those that are pending then do not run.
 */
public final class Scheduler
{
    /** Length of a tick, a power of two. */
    public static final long TICK_NS = 1 << 20;
    /** Most timers of one agent: far more than sensible, about 60 MB. */
    public static final int MAX_TIMERS = 1 << 20;
    /** Result if there are {@value #MAX_TIMERS} timers; no timer has it as its id. */
    public static final long FULL = -1;

    /** A turn of the wheel takes about a second. */
    private static final int TICKS = 1024;
    private static final int TICK_SHIFT = 20;
    private static final int PLACE_BITS = 20;
    private static final int FIRST_TIMERS = 64;
    /** In event time: 12 days at a period of a second. So many runs take seconds at most, with few timers. */
    private static final long MAX_GAP_PERIODS = 1 << 20;
    private static final int NONE = -1;

    /** Action of a timer. */
    @FunctionalInterface
    public interface Task
    {
        /**
         * Called when the timer is due.
         *
         * @param nowNs time of the agent's clock.
         * @throws Exception on failure; the error policy of the agent applies.
         */
        void run(long nowNs) throws Exception;
    }

    /** The agent's duty: present only if a part of the agent uses timers. */
    private final class Polling implements AgentWork
    {
        @Override
        public String name()
        {
            return "timers of agent '" + agent.roleName() + "'";
        }

        @Override
        public void hostedBy(final StageAgent host)
        {
        }

        @Override
        public StageAgent host()
        {
            return agent;
        }

        @Override
        public int doWork()
        {
            return eventTime ? 0 : pollTo(now());
        }

        @Override
        public void onStart()
        {
        }

        @Override
        public void onClose()
        {
        }
    }

    private final StageAgent agent;
    private final NanoClock live;
    private final PartFailures failures;
    private final AgentWork polling = new Polling();
    /** First and last place of each list. */
    private final int[] first = new int[TICKS];
    private final int[] last = new int[TICKS];

    // One entry for each place. The id of a timer is its place and the number of timers before it.
    private Task[] tasks = new Task[FIRST_TIMERS];
    private long[] ids = new long[FIRST_TIMERS];
    private long[] ticks = new long[FIRST_TIMERS];
    private int[] next = new int[FIRST_TIMERS];
    private int[] previous = new int[FIRST_TIMERS];
    private long[] dueNs = new long[FIRST_TIMERS];
    private long[] periodNs = new long[FIRST_TIMERS];
    private int[] free = new int[FIRST_TIMERS];
    private long[] dueIds = new long[FIRST_TIMERS];
    private int freeCount;
    private int places;
    private int dueCount;

    private boolean eventTime;
    private boolean firstEventSeen;
    private long readInCycle = -1;
    private long nowNs;
    /** Time up to which the present poll runs tasks. */
    private long pollNs;
    /** Time of tick 0. */
    private long startNs;
    /** The first tick that was not read. */
    private long tick;
    private long timers;
    // Counters: opaque stores of the agent's thread, opaque loads of any thread.
    private final PaddedLong pending = new PaddedLong(0);
    private final PaddedLong fired = new PaddedLong(0);

    Scheduler(final StageAgent agent, final NanoClock live, final ErrorPolicy policy, final Failures all)
    {
        this.agent = agent;
        this.live = live;
        failures = new PartFailures(
            all, policy, agent.hasOwnThread(), "a timer of agent '" + agent.roleName() + "' failed");
        startNs = live.nanoTime();
        Arrays.fill(first, NONE);
        Arrays.fill(last, NONE);
    }

    AgentWork polling()
    {
        return polling;
    }

    /**
     * Time of the agent's clock: read at most once a duty cycle, so that all its handlers and timers see the same time.
     *
     * @return nanoseconds; in a flow with {@link Flow#eventTime} the greatest time of an event so far, and 0 before the
     * first one.
     */
    public long now()
    {
        final long cycle = agent.cycles();
        if (!eventTime && cycle != readInCycle)
        {
            readInCycle = cycle;
            nowNs = live.nanoTime();
        }
        return nowNs;
    }

    /**
     * Run a task at a time.
     *
     * @param timeNs of the agent's clock, less than 292 years from the agent's start; in the past: at the next tick.
     * @param task   to run.
     * @return id of the timer, above 0; {@link #FULL} if there are too many.
     */
    public long at(final long timeNs, final Task task)
    {
        return add(timeNs, 0, task);
    }

    /**
     * Run a task after a time.
     *
     * @param delayNs from now, in nanoseconds, 0 or more.
     * @param task    to run.
     * @return as {@link #at}.
     * @throws IllegalArgumentException if the delay is negative.
     */
    public long after(final long delayNs, final Task task)
    {
        if (delayNs < 0)
        {
            throw new IllegalArgumentException("delayNs " + delayNs + " is below 0");
        }
        return add(later(now(), delayNs), 0, task);
    }

    /**
     * Run a task again and again. Periods that have passed while the agent did not run are left out: no burst follows a
     * pause. In event time it runs for each period between two events; if those are more than 1,048,576, it runs once
     * and leaves out the others. The times keep their distance to the first one.
     *
     * @param delayNs  time to the first run, in nanoseconds, 0 or more.
     * @param periodNs time between two runs, in nanoseconds, at least one tick.
     * @param task     to run.
     * @return as {@link #at}; valid until it is cancelled.
     * @throws IllegalArgumentException if a time is out of range.
     */
    public long every(final long delayNs, final long periodNs, final Task task)
    {
        if (delayNs < 0 || periodNs < TICK_NS)
        {
            throw new IllegalArgumentException("every(" + delayNs + ", " + periodNs +
                "): delayNs is at least 0, periodNs at least a tick of " + TICK_NS);
        }
        return add(later(now(), delayNs), periodNs, task);
    }

    /**
     * Cancel a timer.
     *
     * @param id of the timer.
     * @return true if it will not run (again); false if it has run, was cancelled, or never existed.
     */
    public boolean cancel(final long id)
    {
        final int place = (int)(id & MAX_TIMERS - 1);
        if (id < 0 || place >= places || ids[place] != id)
        {
            return false;
        }
        unlink(place);
        release(place);
        return true;
    }

    /** @return number of timers that have not run and are not cancelled. Any thread. */
    public long pending()
    {
        return pending.getOpaque();
    }

    /** @return number of tasks that have run. Any thread. */
    public long fired()
    {
        return fired.getOpaque();
    }

    private long add(final long timeNs, final long newPeriodNs, final Task task)
    {
        Objects.requireNonNull(task, "task");
        final int place = freeCount > 0 ? free[--freeCount] : newPlace();
        if (place == NONE)
        {
            return FULL;
        }
        if (pending.getPlain() == 0)
        {
            // Ticks without a timer need not be read.
            tick = Math.max(tick, now() - startNs >> TICK_SHIFT);
        }
        timers++;
        tasks[place] = task;
        ids[place] = timers << PLACE_BITS | place;
        periodNs[place] = newPeriodNs;
        schedule(place, timeNs);
        pending.addOpaque(1);
        return ids[place];
    }

    private int newPlace()
    {
        if (places == MAX_TIMERS)
        {
            return NONE;
        }
        // The array that grows last: without memory for all, the next timer tries again.
        if (places == dueIds.length)
        {
            final int length = places * 2;
            tasks = Arrays.copyOf(tasks, length);
            ids = Arrays.copyOf(ids, length);
            ticks = Arrays.copyOf(ticks, length);
            next = Arrays.copyOf(next, length);
            previous = Arrays.copyOf(previous, length);
            dueNs = Arrays.copyOf(dueNs, length);
            periodNs = Arrays.copyOf(periodNs, length);
            free = Arrays.copyOf(free, length);
            dueIds = Arrays.copyOf(dueIds, length);
        }
        return places++;
    }

    private void schedule(final int place, final long timeNs)
    {
        dueNs[place] = timeNs;
        final long fromStartNs = timeNs - startNs;
        // The first tick at or after the time. No sum before the shift: it may overflow.
        ticks[place] = Math.max(tick, (fromStartNs >> TICK_SHIFT) + ((fromStartNs & TICK_NS - 1) == 0 ? 0 : 1));
        final int list = (int)ticks[place] & TICKS - 1;
        previous[place] = last[list];
        next[place] = NONE;
        if (last[list] == NONE)
        {
            first[list] = place;
        }
        else
        {
            next[last[list]] = place;
        }
        last[list] = place;
    }

    /** A time after another one. If it overflows, it is as late as possible, 292 years after the start. */
    private long later(final long timeNs, final long delayNs)
    {
        final long fromStartNs = timeNs - startNs;
        return startNs + (fromStartNs > Long.MAX_VALUE - delayNs ? Long.MAX_VALUE : fromStartNs + delayNs);
    }

    /** Remove a timer from its list; no effect if it was removed. */
    private void unlink(final int place)
    {
        if (ticks[place] == NONE)
        {
            return;
        }
        final int list = (int)ticks[place] & TICKS - 1;
        if (previous[place] == NONE)
        {
            first[list] = next[place];
        }
        else
        {
            next[previous[place]] = next[place];
        }
        if (next[place] == NONE)
        {
            last[list] = previous[place];
        }
        else
        {
            previous[next[place]] = previous[place];
        }
        ticks[place] = NONE;
    }

    private void release(final int place)
    {
        ids[place] = NONE;
        tasks[place] = null;
        free[freeCount++] = place;
        pending.addOpaque(-1);
    }

    /** Run what is due. Returns the number of tasks. */
    private int pollTo(final long timeNs)
    {
        pollNs = timeNs;
        int ran = 0;
        int empty = 0;
        while (pending.getPlain() > 0 && timeNs - tickNs() >= 0)
        {
            if (eventTime)
            {
                nowNs = tickNs();
            }
            takeDue();
            tick++;
            empty = dueCount == 0 ? empty + 1 : 0;
            ran += runDue();
            if (empty == TICKS)
            {
                empty = 0;
                skipTo(timeNs - startNs >> TICK_SHIFT);
            }
        }
        return ran;
    }

    /** After a turn of the wheel without a task: read no empty ticks of a long gap. */
    private void skipTo(final long target)
    {
        long earliest = target;
        for (int place = 0; place < places; place++)
        {
            earliest = tasks[place] == null ? earliest : Math.min(earliest, ticks[place]);
        }
        tick = Math.max(tick, earliest);
    }

    private long tickNs()
    {
        return startNs + (tick << TICK_SHIFT);
    }

    /** Only collected here: a task may add and cancel timers. The list also has timers of later turns. */
    private void takeDue()
    {
        int place = first[(int)tick & TICKS - 1];
        while (place != NONE)
        {
            final int following = next[place];
            if (ticks[place] == tick)
            {
                unlink(place);
                dueIds[dueCount++] = ids[place];
            }
            place = following;
        }
    }

    private int runDue()
    {
        final int count = dueCount;
        dueCount = 0;
        int ran = 0;
        for (int i = 0; i < count; i++)
        {
            final int place = (int)(dueIds[i] & MAX_TIMERS - 1);
            // A task before it may have cancelled it.
            if (ids[place] == dueIds[i])
            {
                run(place);
                ran++;
            }
        }
        return ran;
    }

    private void run(final int place)
    {
        final Task task = tasks[place];
        if (periodNs[place] == 0)
        {
            release(place);
        }
        else
        {
            final long gap = Math.max(0, pollNs - dueNs[place]) / periodNs[place];
            // A time that is far ahead, perhaps by mistake, must not keep the agent busy for hours.
            final long passed = gap >= MAX_GAP_PERIODS ? gap : Math.max(0, nowNs - dueNs[place]) / periodNs[place];
            schedule(place, later(dueNs[place] + passed * periodNs[place], periodNs[place]));
        }
        fired.addOpaque(1);
        try
        {
            task.run(nowNs);
        }
        catch (final Throwable ex)
        {
            failures.onFailure(ex);
        }
    }

    /**
     * From now on the events are the clock. No effect if they are, because of another stage of the agent. Timers of the
     * live clock keep what remains of their time.
     */
    void useEventTime()
    {
        if (!eventTime)
        {
            final long liveNs = now();
            for (int place = 0; place < places; place++)
            {
                dueNs[place] -= liveNs;
            }
            eventTime = true;
            nowNs = 0;
            rebase(0);
        }
    }

    /** A handler that first runs what is due by the time of the event. */
    <E> EventHandler<E> before(final ToLongFunction<? super E> timeNs, final EventHandler<? super E> handler)
    {
        return new FusedHandler<>(
            new EventClock<>(this, timeNs, failures.of("the function of the event time failed")), handler);
    }

    /** The time of an event. */
    void advanceTo(final long timeNs)
    {
        if (!firstEventSeen)
        {
            firstEventSeen = true;
            nowNs = timeNs;
            rebase(timeNs);
        }
        else if (timeNs - nowNs > 0)
        {
            pollTo(timeNs);
            nowNs = timeNs;
        }
    }

    /** Timers that were added before the first event are relative to its time. */
    private void rebase(final long baseNs)
    {
        Arrays.fill(first, NONE);
        Arrays.fill(last, NONE);
        startNs = baseNs;
        tick = 0;
        int count = 0;
        for (int place = 0; place < places; place++)
        {
            if (tasks[place] != null)
            {
                dueIds[count++] = ids[place];
            }
        }
        // In the order in which they were added: a place may have been used before.
        Arrays.sort(dueIds, 0, count);
        for (int i = 0; i < count; i++)
        {
            final int place = (int)(dueIds[i] & MAX_TIMERS - 1);
            schedule(place, baseNs + dueNs[place]);
        }
    }
}
