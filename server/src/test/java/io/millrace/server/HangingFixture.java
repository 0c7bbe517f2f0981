package io.millrace.server;

import org.junit.jupiter.api.AfterEach;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;


/**
 * A server in which a part hangs until the test releases it.
 */
abstract class HangingFixture
{
    static final long LONG_DRAIN_NS = Server.Context.MAX_TIME_NS;
    static final long SHORT_DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(200);

    final List<String> log = Collections.synchronizedList(new ArrayList<>());
    final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    final CountDownLatch there = new CountDownLatch(1);
    final CountDownLatch resume = new CountDownLatch(1);

    @AfterEach
    void letGo()
    {
        resume.countDown();
    }

    Server.Context context(final String name, final long drainNs)
    {
        return new Server.Context().name(name).errorHandler(errors::add).stallTimeoutNs(0).drainTimeoutNs(drainNs);
    }

    void hang()
    {
        there.countDown();
        Await.until("continue", () -> resume.getCount() == 0);
    }

    Thread closerOf(final Server server)
    {
        final Thread closer = new Thread(server::close, "closer");
        closer.start();
        return closer;
    }

    static void publish(final InVmSource<Tick> source, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            Tick.publish(source, i);
        }
    }

    long reported(final String what)
    {
        return new ArrayList<>(errors).stream().filter(each -> each.getMessage().contains(what)).count();
    }
}
