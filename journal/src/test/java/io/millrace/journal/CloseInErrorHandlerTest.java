package io.millrace.journal;

import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ServerState;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The error handler closes the server on a thread of the journal, for which the close would wait. */
@Tag("server")
class CloseInErrorHandlerTest
{
    /** Several segments of 4 KiB. */
    private static final int RECORDS = 500;

    @TempDir
    private Path folder;
    /** The close must not come before the last record. */
    private final CountDownLatch allPublished = new CountDownLatch(1);

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldCloseOnTheThreadOfTheFollower(final ThreadingMode mode)
    {
        final Path directory = folder.resolve("j");
        final Journal<Command> journal = Journal.open(Journals.context(directory).segmentBytes(4_096)
            .bufferBytes(4_096).clock(Journals.clock(TimeUnit.MILLISECONDS.toNanos(10))));
        journal.follow(new Accounts()
        {
            @Override
            public void onEvent(final Command event, final long sequence, final boolean endOfBatch)
            {
                Await.until("all is published", () -> allPublished.getCount() == 0);
                throw new IllegalStateException("boom");
            }
        }, 50);
        final AtomicReference<Server> closing = new AtomicReference<>();
        final InVmSource<Command> source = new InVmSource<>(Command::new, 512);
        final Server server = Server.create(new Server.Context().name("closing").threadingMode(mode).stallTimeoutNs(0)
            .errorHandler(error -> closing.get().close()).service(journal)
            .flow("commands", f -> f.from(source).to("journal", journal.stage())
                .to("accounts", journal.recovering(new Accounts()), "journal")));
        closing.set(server);
        server.start();
        Topologies.publish(source, 1, RECORDS);
        allPublished.countDown();
        Await.until("the server is closed", () ->
        {
            if (mode == ThreadingMode.INVOKER && server.state() != ServerState.CLOSED)
            {
                server.invoke();
            }
            return server.state() == ServerState.CLOSED;
        });
        assertEquals(List.of(), server.leftBehind());
        assertEquals(RECORDS, Journals.recover(directory).sequence());
    }
}
