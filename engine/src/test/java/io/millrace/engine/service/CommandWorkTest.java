package io.millrace.engine.service;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.StepRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The work of every command is bounded by a constant or by the orders that it changes. It is measured in executed lines
 * of the engine, which a debugger counts in another JVM, at two sizes of the state: users, orders and levels are
 * fifteen times as many. docs/order-book-layout.md names the exceptions: STATE_HASH and RESET, and a refused FOK or
 * budget order.
 */
@Tag("normal")
@Tag("slow")
class CommandWorkTest
{
    private static final int SMALL = 100;
    private static final int LARGE = 1_500;
    /** Additional steps of a search in a heap, a tree or a table of the larger state. */
    private static final int LINES_OF_SEARCHES = 400;
    /** Also the user's orders. */
    private static final int LINES_OF_REPORT = 80 * Reports.MAX_BOOKS_READ;
    private static final int LINES_OF_A_SYMBOL = 60;
    /** Exactly 31: reads the fields, branches on the type. A second try of the fast path would take 10 more. */
    private static final int LINES_OF_A_DISPATCH = 32;
    private static final String RUN = CommandWorkRun.class.getName();

    private final Map<String, Integer> lines = new LinkedHashMap<>();
    private VirtualMachine machine;
    private StepRequest step;
    private int size;
    private String name;
    private int count;

    private static VirtualMachine launch(final int size) throws Exception
    {
        final LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        final Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("main").setValue(RUN + " " + size);
        arguments.get("options").setValue("-cp \"" + System.getProperty("java.class.path") + "\"");
        return connector.launch(arguments);
    }

    private Map<String, Integer> linesAt(final int newSize) throws Exception
    {
        lines.clear();
        size = newSize;
        machine = launch(size);
        try
        {
            final ClassPrepareRequest prepare = machine.eventRequestManager().createClassPrepareRequest();
            prepare.addClassFilter(RUN);
            prepare.enable();
            while (takeEvents())
            {
                // Until the JVM ends.
            }
            assertEquals("", new String(machine.process().getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        }
        finally
        {
            machine.process().destroyForcibly();
        }
        return new LinkedHashMap<>(lines);
    }

    private boolean takeEvents() throws Exception
    {
        final EventSet events = machine.eventQueue().remove();
        boolean isAlive = true;
        for (final Event event : events)
        {
            if (event instanceof StepEvent)
            {
                count++;
            }
            else if (event instanceof BreakpointEvent)
            {
                onBreakpoint((BreakpointEvent)event);
            }
            else if (event instanceof ClassPrepareEvent)
            {
                stopAt((ClassPrepareEvent)event);
            }
            isAlive &= !(event instanceof VMDeathEvent || event instanceof VMDisconnectEvent);
        }
        try
        {
            events.resume();
        }
        catch (final VMDisconnectedException ex)
        {
            return false;
        }
        return isAlive;
    }

    private void stopAt(final ClassPrepareEvent event)
    {
        for (final String method : new String[] {"begin", "end"})
        {
            final EventRequest stop = machine.eventRequestManager().createBreakpointRequest(
                event.referenceType().methodsByName(method).get(0).location());
            stop.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            stop.enable();
        }
    }

    private void onBreakpoint(final BreakpointEvent event) throws Exception
    {
        final ThreadReference thread = event.thread();
        if (event.location().method().name().equals("begin"))
        {
            name = ((StringReference)thread.frame(0).getArgumentValues().get(0)).value();
            count = 0;
            if (size == SMALL && isBoundedByAConstant(name))
            {
                return;
            }
            step = machine.eventRequestManager().createStepRequest(
                thread, StepRequest.STEP_LINE, StepRequest.STEP_INTO);
            step.addClassFilter("io.millrace.engine.*");
            step.setSuspendPolicy(EventRequest.SUSPEND_NONE);
            step.enable();
        }
        else
        {
            if (step != null)
            {
                machine.eventRequestManager().deleteEventRequest(step);
                step = null;
            }
            lines.put(name, count);
        }
    }

    /** It has many lines, so they are counted at the large size only. */
    private static boolean isBoundedByAConstant(final String command)
    {
        return command.startsWith("USER_REPORT");
    }

    /** At most 1,024 symbols where there are users: a constant, but a great one. */
    private static boolean isOfAllSymbols(final String command)
    {
        return command.equals("TICK") || command.equals("TOTALS_REPORT") || command.equals("MASS_CANCEL_USER");
    }

    @Test
    void shouldBeBoundedForEveryCommand() throws Exception
    {
        final Map<String, Integer> small = linesAt(SMALL);
        final Map<String, Integer> large = linesAt(LARGE);
        System.out.println("lines of the engine for each command, of " + SMALL + " users: " + small + "\nof " + LARGE +
            ": " + large);
        assertEquals(small.keySet(), large.keySet());
        assertTrue(small.size() > 28, small::toString);
        final int byPlace = small.get(CommandWorkRun.PLACE_METHOD);
        final int byExecute = small.get(CommandWorkRun.EXECUTE_METHOD);
        assertTrue(byExecute <= byPlace + LINES_OF_A_DISPATCH,
            () -> byExecute + " lines by execute, " + byPlace + " by check and accept: is the order dispatched twice?");
        small.forEach((command, least) ->
        {
            final int most = large.get(command);
            final int bound = isBoundedByAConstant(command) ? LINES_OF_REPORT :
                least + LINES_OF_SEARCHES + (isOfAllSymbols(command) ?
                    LINES_OF_A_SYMBOL * (CommandWorkRun.symbols(LARGE) - CommandWorkRun.symbols(SMALL)) : 0);
            assertTrue(most > 0 && (least > 0 || isBoundedByAConstant(command)) && most <= bound,
                () -> command + " took " + most + " lines, not at most " + bound);
        });
    }
}
