package io.millrace.server;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Events for the JVM's flight recorder, off the hot path. Without a recording, or without the module {@code jdk.jfr},
 * each method only tests that. The first call is made while the server starts, so that nothing is loaded later. No
 * method throws, and none allocates unless a recording wants its event.
 */
final class FlightEvents
{
    private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    @Name("io.millrace.ServerState")
    @Label("Server State")
    @Description("A server starts, stops or fails")
    @Category("Millrace")
    @StackTrace(false)
    private static final class State extends Event
    {
        @Label("Server")
        String server;
        @Label("From")
        String from;
        @Label("To")
        String to;
    }

    @Name("io.millrace.Failure")
    @Label("Failure")
    @Description("A handler, a source or another part failed")
    @Category("Millrace")
    @StackTrace(false)
    private static final class Failure extends Event
    {
        @Label("Server")
        String server;
        @Label("Message")
        String message;
        @Label("Cause")
        String cause;
    }

    @Name("io.millrace.Stall")
    @Label("Stall")
    @Description("The duty cycle of an agent has taken longer than the stall time and has not ended")
    @Category("Millrace")
    @StackTrace(false)
    private static final class Stall extends Event
    {
        @Label("Server")
        String server;
        @Label("Agent")
        String agent;
        @Label("Time since the duty cycle began")
        @Timespan(Timespan.NANOSECONDS)
        long stalledNs;
        @Label("What its thread did")
        String stallCause;
        @Label("Innermost frame of its thread")
        String frame;
    }

    @Name("io.millrace.LongestCycle")
    @Label("Longest Duty Cycle")
    @Description("A measured agent had a longer duty cycle than any before")
    @Category("Millrace")
    @StackTrace(false)
    private static final class LongestCycle extends Event
    {
        @Label("Server")
        String server;
        @Label("Agent")
        String agent;
        @Label("Length of the duty cycle")
        @Timespan(Timespan.NANOSECONDS)
        long lengthNs;
    }

    /** Loaded only if the module is present. */
    private static final class Recorder
    {
        private Recorder()
        {
        }

        static boolean isOn()
        {
            return FlightRecorder.isInitialized();
        }
    }

    /**
     * One event of each type, never committed, to ask without allocation whether a recording wants more. Loaded with
     * the first recording.
     */
    private static final class Probes
    {
        static final State STATE = new State();
        static final Failure FAILURE = new Failure();
        static final Stall STALL = new Stall();
        static final LongestCycle LONGEST_CYCLE = new LongestCycle();

        private Probes()
        {
        }
    }

    private FlightEvents()
    {
    }

    private static boolean isRecording()
    {
        return PRESENT && Recorder.isOn();
    }

    static void state(final String server, final ServerState from, final ServerState to)
    {
        try
        {
            if (isRecording() && Probes.STATE.isEnabled())
            {
                final State event = new State();
                event.server = server;
                event.from = from.name();
                event.to = to.name();
                event.commit();
            }
        }
        catch (final Throwable ignored)
        {
            // No memory, for example. A failing server must stop nevertheless.
        }
    }

    static void failure(final String server, final Throwable what)
    {
        try
        {
            if (isRecording() && Probes.FAILURE.isEnabled())
            {
                final Failure event = new Failure();
                event.server = server;
                event.message = String.valueOf(what.getMessage());
                event.cause = String.valueOf(what.getCause());
                event.commit();
            }
        }
        catch (final Throwable ignored)
        {
            // No memory, for example. A failing server must stop nevertheless.
        }
    }

    static void stall(
        final String server,
        final String agent,
        final long stalledNs,
        final StallCause cause,
        final StackTraceElement[] stack)
    {
        try
        {
            if (isRecording() && Probes.STALL.isEnabled())
            {
                final Stall event = new Stall();
                event.server = server;
                event.agent = agent;
                event.stalledNs = stalledNs;
                event.stallCause = cause.name();
                event.frame = stack.length == 0 ? "" : stack[0].toString();
                event.commit();
            }
        }
        catch (final Throwable ignored)
        {
            // No memory, for example. A failing server must stop nevertheless.
        }
    }

    static void longestCycle(final String server, final String agent, final long lengthNs)
    {
        try
        {
            if (isRecording() && Probes.LONGEST_CYCLE.isEnabled())
            {
                final LongestCycle event = new LongestCycle();
                event.server = server;
                event.agent = agent;
                event.lengthNs = lengthNs;
                event.commit();
            }
        }
        catch (final Throwable ignored)
        {
            // No memory, for example. A failing server must stop nevertheless.
        }
    }
}
