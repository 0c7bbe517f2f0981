package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Without an error handler, failures go to the system's logger, which is that of java.util.logging here. */
class LogTest
{
    private final List<LogRecord> records = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);

    private void collectWhile(final Runnable server)
    {
        final Logger logger = Logger.getLogger("io.millrace.server");
        final Handler collector = new Handler()
        {
            @Override
            public void publish(final LogRecord logged)
            {
                records.add(logged);
            }

            @Override
            public void flush()
            {
            }

            @Override
            public void close()
            {
            }
        };
        logger.setUseParentHandlers(false);
        logger.addHandler(collector);
        try
        {
            server.run();
        }
        finally
        {
            logger.removeHandler(collector);
            logger.setUseParentHandlers(true);
        }
        assertEquals(1, records.size());
        assertEquals(Level.SEVERE, records.get(0).getLevel());
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldLogTheFirstFailureOfEachKindAndNothingElse(final ThreadingMode mode)
    {
        final IllegalStateException planted = new IllegalStateException("planted");
        collectWhile(() ->
        {
            final Server server = Server.launch(new Server.Context().name("log").threadingMode(mode).stallTimeoutNs(0)
                .onError(ErrorPolicy.SKIP_AND_RECORD).flow("f", f -> f.from(source)
                    .to("a", (event, sequence, endOfBatch) ->
                    {
                        throw planted;
                    })));
            for (int i = 0; i < 3; i++)
            {
                source.publish(source.claim());
            }
            server.close();
            assertEquals(3, server.counters().value("a.errors"));
        });
        assertTrue(records.get(0).getMessage().contains("server 'log': stage 'a' failed on event 0"),
            records.get(0).getMessage());
        assertSame(planted, records.get(0).getThrown().getCause());
    }

    @Test
    void shouldLogAnAlarmWithoutAStack()
    {
        collectWhile(() -> Server.launch(new Server.Context().name("log").threadingMode(ThreadingMode.INVOKER)
            .service(new Service()
            {
                @Override
                public String name()
                {
                    return "watch";
                }

                @Override
                public void onStart(final ServiceContext context)
                {
                    context.reportFailure("a flow is slow", null);
                }
            }).flow("f", f -> f.from(source).to("a", (event, sequence, endOfBatch) -> {}))).close());
        assertEquals("server 'log': a flow is slow", records.get(0).getMessage());
        assertNull(records.get(0).getThrown());
    }
}
