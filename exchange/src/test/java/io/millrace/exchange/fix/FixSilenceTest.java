package io.millrace.exchange.fix;

import io.millrace.exchange.Exchange;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.Listing;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** A client whose HeartBtInt is longer than the idle timeout, as 30 seconds are. */
@Timeout(120)
class FixSilenceTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldSendATestRequestBeforeItEndsASilentSession() throws IOException
    {
        final AtomicLong clock = new AtomicLong();
        final SessionContext sessions = ExchangeRig.withoutTimeLimits().clock(clock::get)
            .heartbeatNs(TimeUnit.HOURS.toNanos(1)).idleTimeoutNs(TimeUnit.SECONDS.toNanos(20))
            .client(new ClientAccount(1, "ANNA", "token-of-anna", Role.TRADER));
        final FixProtocol protocol = new FixProtocol(
            "MILL", List.of(new Listing(ExchangeRig.spec(ExchangeRig.SYMBOL), "GOLD", 1, 1)), false);
        try (Exchange exchange = Exchange.launch(ExchangeRig.context(folder, sessions)
            .protocol(protocol, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            FixSocket anna = new FixSocket(exchange, "ANNA", ""))
        {
            assertEquals("A", anna.next(112));
            // At last the host stands still for longer than the timeout.
            for (final int seconds : new int[]{11, 11, 11, 30})
            {
                clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
                assertEquals("1 112=silent", anna.next(112));
                anna.send("0", "112=silent|");
                // Its answer shows that the heartbeat has come.
                anna.send("1", "112=next|");
                assertEquals("0 112=next", anna.next(112));
            }
            clock.addAndGet(TimeUnit.SECONDS.toNanos(11));
            assertEquals("1 112=silent", anna.next(112));
            clock.addAndGet(TimeUnit.SECONDS.toNanos(11));
            assertEquals("5 58=idle", anna.next(112, 58));
            assertNull(exchange.server().failure());
        }
    }
}
