package io.millrace.server;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Last steps of changes at the end of an agent. */
class AgentRequestsTest
{
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final StageAgent agent = new StageAgent(AgentSpec.named("a"), List.of(), System::nanoTime,
        ErrorPolicy.STOP_SERVER, true, new Failures("ends", ex -> log.add(ex.getMessage()), null));

    private static AgentRequest<Object> step(final Callable<Object> action)
    {
        return new AgentRequest<>(action, true);
    }

    /** The change of the second step has given up; the third one belongs to the next change. */
    @Test
    void shouldNotCarryOutTwoStepsAtOnce() throws Exception
    {
        final AgentRequest<Object> second = step(() ->
        {
            log.add("second begins");
            inside.countDown();
            assertTrue(goOn.await(1, TimeUnit.MINUTES));
            return log.add("second ends");
        });
        // The agent carries it out while it ends, and meanwhile gets the second one.
        agent.request(step(() ->
        {
            final Thread changing = new Thread(() -> agent.request(second));
            changing.start();
            changing.join();
            return 0;
        }));
        final Thread ending = new Thread(() ->
        {
            agent.onStart();
            agent.onClose();
        });
        ending.start();
        assertTrue(inside.await(1, TimeUnit.MINUTES));
        final AgentRequest<Object> third = step(() -> log.add("third"));
        agent.request(third);
        assertFalse(third.isDone(), log.toString());
        assertTrue(agent.isAlive());
        goOn.countDown();
        third.get(1, TimeUnit.MINUTES);
        Await.ended(ending);
        assertFalse(agent.isAlive());
        assertEquals("second begins, second ends, third", String.join(", ", log.subList(0, 3)));
    }

    @Test
    void shouldCarryOutAStepOfAnAgentThatHasEndedOnTheThreadOfTheChange()
    {
        agent.onStart();
        agent.onClose();
        final AgentRequest<Object> late = step(Thread::currentThread);
        agent.request(late);
        assertEquals(Thread.currentThread(), late.getNow(null));
        final AgentRequest<Object> refused = new AgentRequest<>(() -> log.add("refused"));
        agent.request(refused);
        assertTrue(refused.isRefusedAtEnd());
        assertThrows(java.util.concurrent.ExecutionException.class, refused::get);
    }

    /** A handler that asks its own agent while it closes must not wait for the answer for ever. */
    @Test
    void shouldRefuseAnotherRequestWhileItCarriesOutAStep() throws Exception
    {
        final AgentRequest<Object> asked = new AgentRequest<>(() -> log.add("asked"));
        final AgentRequest<Object> step = step(() ->
        {
            agent.request(asked);
            return asked.isRefusedAtEnd();
        });
        agent.onStart();
        agent.request(step);
        agent.onClose();
        assertEquals(true, step.get());
    }
}
