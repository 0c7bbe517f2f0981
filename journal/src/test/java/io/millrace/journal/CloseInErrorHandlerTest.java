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
    /** Less than a segment has. */
    private static final int RECORDS_OF_A_SNAPSHOT = 10;

    @TempDir
    private Path folder;
    /** The close must not come before the last record. */
    private final CountDownLatch allPublished = new CountDownLatch(1);

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldCloseOnTheThreadOfTheFollower(final ThreadingMode mode)
    {
        shouldCloseWhenTheFollowerFails(mode, new Accounts()
        {
            @Override
            public void onEvent(final Command event, final long sequence, final boolean endOfBatch)
            {
                throw failure();
            }
        });
    }

    /** The close did not wait for it, and its thread goes on when the error handler returns. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldFollowNothingAfterTheClose(final ThreadingMode mode) throws InterruptedException
    {
        final AtomicReference<Thread> follower = new AtomicReference<>();
        final Accounts copy = new Accounts()
        {
            @Override
            public void writeTo(final SnapshotOutput out)
            {
                follower.set(Thread.currentThread());
                throw failure();
            }
        };
        shouldCloseWhenTheFollowerFails(mode, copy);
        follower.get().join();
        assertEquals(RECORDS_OF_A_SNAPSHOT, copy.count);
    }

    private IllegalStateException failure()
    {
        Await.until("all is published", () -> allPublished.getCount() == 0);
        return new IllegalStateException("boom");
    }

    private void shouldCloseWhenTheFollowerFails(final ThreadingMode mode, final Accounts copy)
    {
        final Path directory = folder.resolve("j");
        final Journal<Command> journal = Journal.open(Journals.context(directory).segmentBytes(4_096)
            .bufferBytes(4_096).clock(Journals.clock(TimeUnit.MILLISECONDS.toNanos(10))));
        journal.follow(copy, RECORDS_OF_A_SNAPSHOT);
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
