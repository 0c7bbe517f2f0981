package io.millrace.server;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class AgentGroupTest
{
    /** The closing thread sees what a step has added: it comes after the step, or the step does not run. */
    @Test
    void shouldRunAStepOfAChangeBeforeTheCloseOrNotAtAll() throws Exception
    {
        final AgentGroup agents =
            new AgentGroup(new Server.Context(), List.of(), null, new Failures("agents", new ArrayList<>()::add, null));
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final List<String> log = new ArrayList<>();
        final Thread changing = new Thread(() -> agents.runIfOpen(() ->
        {
            inside.countDown();
            ControlFixture.pass(goOn);
            log.add("step");
        }), "changing");
        changing.start();
        inside.await();
        final Thread closing = new Thread(() ->
        {
            agents.wake();
            log.add("close");
        }, "closing");
        closing.start();
        Await.until("waits or has closed", () -> closing.getState() == Thread.State.BLOCKED || !closing.isAlive());
        goOn.countDown();
        Await.ended(changing);
        Await.ended(closing);
        assertEquals(List.of("step", "close"), log);
        assertThrows(IllegalStateException.class, () -> agents.runIfOpen(() -> log.add("late")));
        assertEquals(List.of("step", "close"), log);
    }
}
