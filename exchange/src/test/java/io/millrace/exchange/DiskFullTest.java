package io.millrace.exchange;

import io.millrace.exchange.ExchangeRig.Trader;
import io.millrace.exchange.session.EndReason;
import io.millrace.journal.JournalException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A small disk under a running exchange becomes full. Needs the right to mount one. */
@Tag("faults")
@Timeout(180)
class DiskFullTest
{
    private static final int WINDOW = 1 << 15;

    @TempDir
    private Path folder;

    private interface OnDisk
    {
        void run(Path disk) throws Exception;
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    /** A disk of 4 MiB, half of it is used by a file. */
    private void onDisk(final OnDisk test) throws Exception
    {
        final Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk.toString()) == 0,
            "this user may mount nothing");
        try
        {
            Files.write(disk.resolve("ballast"), new byte[2 << 20]);
            test.run(disk);
        }
        finally
        {
            assertEquals(0, run("umount", disk.toString()));
        }
    }

    private static Exchange launch(final Path disk, final long watermarkBytes, final int agents)
    {
        return Exchange.launch(ExchangeRig.context(disk, ExchangeRig.sessions()).window(WINDOW).snapshotEvery(0)
            .agents(agents).journal(journal -> journal.segmentBytes(1 << 18).watermarkBytes(watermarkBytes)));
    }

    /** Each is answered by one REJECTED. */
    private static void send(final Trader trader)
    {
        trader.client.command().cancel(ExchangeRig.SYMBOL, trader.client.lastRequest() + 1, 0);
        trader.client.send();
    }

    /** Sends, except while the journal, which looks once a second, does not know yet that the disk is low. */
    private static void sendUnlessLow(
        final Trader trader, final Exchange exchange, final Path disk, final long watermarkBytes)
    {
        if (exchange.journal().isDiskLow() || disk.toFile().getUsableSpace() >= watermarkBytes)
        {
            send(trader);
        }
    }

    /** The answers to so many requests. */
    private static List<String> expected(final int count)
    {
        final List<String> lines = new ArrayList<>();
        for (int i = 1; i <= count; i++)
        {
            lines.add(i + " r" + i + " REJECTED order " + i + " 0@0 open 0 UNKNOWN_ORDER");
        }
        return lines;
    }

    @Test
    void shouldAcknowledgeNothingAfterAFailedWriteAndRecoverOnOneAgent() throws Exception
    {
        onDisk(disk -> fill(disk, 0, 1));
    }

    @Test
    void shouldAcknowledgeNothingAfterAFailedWriteAndRecoverOnTwoAgents() throws Exception
    {
        onDisk(disk -> fill(disk, 0, 2));
    }

    /** Cancels are taken below the watermark; its reserve is finite. */
    @Test
    void shouldAcknowledgeNothingAfterCancelsHaveUsedUpTheReserveAndRecover() throws Exception
    {
        onDisk(disk ->
        {
            final int inReserve = fill(disk, 1 << 20, 1);
            assertTrue(inReserve > 1_000, inReserve + " cancels were taken while the disk was low");
        });
    }

    /** Returns the number of requests that were sent while the disk was low, and acknowledged. */
    private static int fill(final Path disk, final long watermarkBytes, final int agents) throws Exception
    {
        final Trader one;
        final Exchange exchange = launch(disk, watermarkBytes, agents);
        final long committed;
        final long[] requestsAtLow = {Long.MAX_VALUE};
        try
        {
            one = new Trader(exchange, "trader1");
            one.poll(() ->
            {
                if (requestsAtLow[0] == Long.MAX_VALUE && exchange.journal().isDiskLow())
                {
                    requestsAtLow[0] = one.client.lastRequest();
                }
                sendUnlessLow(one, exchange, disk, watermarkBytes);
                return one.ended != null || exchange.server().failure() != null;
            });
            one.poll(() -> exchange.server().failure() != null);
            committed = exchange.journal().committedSequence();
            assertEquals(1, exchange.server().counters().value("journal.failed"));
            assertEquals(watermarkBytes == 0 ? 0 : 1, exchange.server().counters().value("journal.diskLow"));
        }
        finally
        {
            exchange.close();
        }
        Throwable failure = exchange.server().failure();
        while (!(failure instanceof JournalException) && failure.getCause() != null)
        {
            failure = failure.getCause();
        }
        assertEquals(JournalException.Kind.FAILED, ((JournalException)failure).kind());
        final String message = failure.getMessage();
        assertTrue(message.contains("No space left on device"), message);
        // What the sockets still have.
        one.poll(() -> one.ended != null);
        final int acknowledged = one.lines.size();
        // Before its requests: START and LOGON.
        assertTrue(acknowledged > 1_000 && acknowledged + 2 <= committed, acknowledged + " of " + committed);
        Files.delete(disk.resolve("ballast"));
        try (Exchange again = launch(disk, watermarkBytes, agents))
        {
            one.connect(ExchangeRig.address(again));
            one.poll(() -> one.client.unanswered() == 0);
            send(one);
            one.poll(() -> one.client.unanswered() == 0);
            assertEquals(expected((int)one.client.lastRequest()), one.lines);
            assertTrue(one.lines.size() > acknowledged);
            one.close();
            assertNull(again.server().failure());
        }
        return (int)Math.max(0, acknowledged - requestsAtLow[0]);
    }

    @Test
    void shouldTakeCancelsOnlyWhenTheDiskIsNearlyFull() throws Exception
    {
        onDisk(disk ->
        {
            try (Exchange exchange = launch(disk, 1 << 20, 1); Trader one = new Trader(exchange, "trader1"))
            {
                one.poll(() ->
                {
                    sendUnlessLow(one, exchange, disk, 1 << 20);
                    return exchange.journal().isDiskLow();
                });
                one.poll(() -> one.client.unanswered() == 0);
                one.client.command().limit(ExchangeRig.SYMBOL, 1, 0, (byte)0, 100, 1);
                one.client.send();
                one.poll(() -> one.ended != null);
                assertEquals(EndReason.DISK_LOW, one.ended);
                final long requests = one.client.lastRequest();
                Files.delete(disk.resolve("ballast"));
                ExchangeRig.await(() -> !exchange.journal().isDiskLow());
                one.connect();
                one.poll(() -> one.client.unanswered() == 0);
                assertTrue(one.lines.get(one.lines.size() - 1).startsWith(
                    requests + " r" + requests + " ACCEPTED order 1 1@100"), one.lines.get(one.lines.size() - 1));
                assertNull(exchange.server().failure());
            }
        });
    }
}
