package io.millrace.examples;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs the examples of {@code docs/matching.md}: each block named {@code book} begins with an empty book, each line
 * that is not indented is a command, and what comes of it must be the indented lines below.
 */
class MatchingPageTest
{
    private static final Path PAGE =
        Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize().resolve("docs/matching.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```book\\n(.*?)^```");
    private static final Pattern COMMAND = Pattern.compile("(?:order (-?\\d+): (\\w+) (-?\\d+)(?: at (-?\\d+))?" +
        "(?: for (-?\\d+))?|(cancel|reduce|move) (-?\\d+)(?: (?:by|to) (-?\\d+))?)" +
        "(?: (IOC|MARKET))?(?: reserve (\\d+))?(?: of user (\\d+))?");
    private static final long USER = 7;

    private static String page;

    private final List<String> told = new ArrayList<>();
    private OrderBook book = new OrderBook(SymbolSpec.future(1), new Teller(told));

    @BeforeAll
    static void readPage() throws IOException
    {
        page = Files.readString(PAGE);
    }

    @Test
    void shouldSayOnThePageWhatTheBookDoes()
    {
        final List<String> blocks = BLOCK.matcher(page).results().map(block -> block.group(1)).toList();
        assertTrue(blocks.size() >= 10, blocks.size() + " blocks");
        final StringBuilder all = new StringBuilder();
        for (final String block : blocks)
        {
            book = new OrderBook(SymbolSpec.future(1), new Teller(told));
            told.clear();
            block.lines().filter(line -> !line.startsWith(" ")).forEach(this::run);
            book.verify();
            assertEquals(block, String.join("\n", told) + "\n");
            all.append(block);
        }
        for (final CommandResult result : CommandResult.values())
        {
            // Bytes that are nothing cannot be written in a block.
            if (!result.name().startsWith("UNKNOWN") && result != CommandResult.WRONG_SIDE)
            {
                assertTrue(all.toString().contains("  " + result + "\n"), () -> "no example of " + result);
            }
        }
    }

    @Test
    void shouldNameEveryWordOfTheApi()
    {
        for (final CommandResult result : CommandResult.values())
        {
            assertTrue(page.contains("| " + result.code() + " | `" + result + "` |"), () -> "no row of " + result);
        }
        for (byte type = 0; OrderType.isValid(type); type++)
        {
            assertTrue(page.contains("`" + OrderType.name(type) + "`"), OrderType.name(type));
        }
        for (byte type = CommandType.PLACE; CommandType.isValid(type); type++)
        {
            assertTrue(page.contains("`" + CommandType.name(type) + "`"), CommandType.name(type));
        }
    }

    private void run(final String line)
    {
        told.add(line);
        if (line.equals("spot"))
        {
            book = new OrderBook(SymbolSpec.spot(1), new Teller(told));
        }
        else if (line.startsWith("capacity "))
        {
            final int capacity = Integer.parseInt(line.substring(line.indexOf(' ') + 1));
            book = new OrderBook(SymbolSpec.future(1).withOrderCapacity(capacity), new Teller(told));
        }
        else if (line.equals("book"))
        {
            show(Side.ASK);
            show(Side.BID);
        }
        else
        {
            final Matcher command = COMMAND.matcher(line);
            assertTrue(command.matches(), () -> "no command: " + line);
            told.add("  " + (command.group(1) != null ? place(command) : change(command)));
        }
    }

    private CommandResult place(final MatchResult command)
    {
        final byte side = (byte)List.of("bid", "ask").indexOf(command.group(2));
        final byte type = command.group(5) != null ? OrderType.FOK_BUDGET : "IOC".equals(command.group(9)) ?
            OrderType.IOC : "MARKET".equals(command.group(9)) ? OrderType.MARKET : OrderType.GTC;
        final long price = type == OrderType.FOK_BUDGET ? number(command.group(5), 0) : number(command.group(4), 0);
        return book.place(type, side, number(command.group(1), 0), number(command.group(11), USER), price,
            number(command.group(3), 0), number(command.group(10), price));
    }

    private CommandResult change(final MatchResult command)
    {
        final long orderId = number(command.group(7), 0);
        final long user = number(command.group(11), USER);
        final long value = number(command.group(8), 0);
        return command.group(6).equals("cancel") ? book.cancel(orderId, user) : command.group(6).equals("reduce") ?
            book.reduce(orderId, user, value) : book.move(orderId, user, value);
    }

    private static long number(final String text, final long missing)
    {
        return text == null ? missing : Long.parseLong(text);
    }

    private void show(final byte side)
    {
        book.forEachOrder(side, (orderId, uid, s, price, size, filled, reservePrice) ->
            told.add("  " + Side.name(side) + " " + price + ": order " + orderId + ", " + (size - filled) +
                (filled == 0 ? "" : ", filled " + filled)));
    }

    private record Teller(List<String> told) implements ExecutionListener
    {
        @Override
        public void onTrade(
            final long makerOrderId,
            final long makerUid,
            final boolean makerCompleted,
            final long takerOrderId,
            final long takerUid,
            final byte takerSide,
            final boolean takerCompleted,
            final long price,
            final long size,
            final long bidReservePrice)
        {
            told.add("  TRADE " + size + " at " + price + " with order " + makerOrderId +
                (makerCompleted ? ", which is filled" : ", which has a rest"));
        }

        @Override
        public void onReject(
            final long orderId,
            final long uid,
            final byte side,
            final long price,
            final long size,
            final long reservePrice)
        {
            told.add("  REJECT " + size + " at " + price);
        }

        @Override
        public void onReduce(
            final long orderId,
            final long uid,
            final byte side,
            final long price,
            final long size,
            final boolean completed,
            final long reservePrice)
        {
            told.add("  REDUCE " + size + " at " + price + (completed ? ", nothing is left" : ""));
        }
    }
}
