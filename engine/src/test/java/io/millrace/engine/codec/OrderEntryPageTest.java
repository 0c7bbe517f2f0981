package io.millrace.engine.codec;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.ExecutionReason;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * {@code docs/order-entry.md} matches the codecs: its bytes, drawings and numbers.
 */
class OrderEntryPageTest
{
    private static final Path PAGE =
        Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize().resolve("docs/order-entry.md");
    private static final Pattern RECORD = Pattern.compile("(?ms)^```record ([^\\n]*)\\n(.*?)^```");
    private static final Pattern BYTES = Pattern.compile("(?m)^ *(\\d+): ((?:[0-9a-f]{2} ?)+)");
    private static final Pattern DRAWING =
        Pattern.compile("(?ms)^### (\\w+)\\n\\| offset [^\\n]*\\n\\|[^\\n]*\\n(.*?)\\n\\n");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\| (\\d*) \\|");
    private static final long TIME_NS = 1_700_000_000_000_000_000L;
    private static final long PRICE = 10_050;

    private static final Map<String, OrderCommand> COMMANDS = new LinkedHashMap<>();
    private static final Map<String, ExecutionEvent> ANSWERS = new LinkedHashMap<>();

    private static String page;
    /** The page with its lines joined, for sentences that wrap. */
    private static String text;

    static
    {
        COMMANDS.put("NewOrder: order 1001 of trader 42, ask 250 at 10050",
            new OrderCommand().limit(7, 1001, 42, Side.ASK, PRICE, 250));
        COMMANDS.put("CancelOrder: order 1001", new OrderCommand().cancel(7, 1001, 42));
        COMMANDS.put("Command: PLACE, an iceberg of user 42 that shows 500 of 5000",
            new OrderCommand().iceberg(7, 1001, 42, Side.BID, PRICE, 5_000, 500)
                .selfTradePolicy(SelfTradePolicy.CANCEL_OLDEST).timestampNs(TIME_NS));
        COMMANDS.put("Command: BALANCE_ADJUSTMENT, 1000 of currency 840 out of the account of user 42",
            new OrderCommand().adjustBalance(42, 840, -1_000, 3));
        COMMANDS.put("Command: ORDER_BOOK_REQUEST, ten levels of each side of symbol 7",
            new OrderCommand().orderBook(7, 10));
        COMMANDS.put("Request: CANCEL of order 1001 of user 42 in symbol 7, request 77",
            new OrderCommand().cancel(7, 1001, 42).correlation(77));
        COMMANDS.put("Symbol: ADD_SYMBOL, spot symbol 7 with terms", new OrderCommand().addSymbol(
            SymbolSpec.spot(7).withOrderCapacity(1_000).withWindowTicks(256).withPrices(1, 90_000).withMinAskPrice(2),
            SymbolTerms.spot(1, 2, 1_000, 10).withFees(19, 17)).timestampNs(TIME_NS));
        COMMANDS.put("Symbol: ADD_SYMBOL, future 8 for an engine without users",
            new OrderCommand().addSymbol(SymbolSpec.future(8), null));
        answer("ExecutionReport: report 7, taker 2002, maker 1001, 100 at 10050, given at 1700000000000000000 ns")
            .set(ExecutionKind.TRADE, Side.BID, (byte)0, false, false, false, 0, 0, 7, TIME_NS, 2002, 0, 1001, 0, PRICE,
                100, 0);
        answer("Answer: TRADE, taker 2002 of user 43 sold 100 at 10050 to order 1001 of user 42 and is filled")
            .set(ExecutionKind.TRADE, Side.ASK, (byte)0, true, false, false, 7, 0, 12, TIME_NS, 2002, 43, 1001, 42,
                PRICE, 100, PRICE);
        final ExecutionEvent reply =
            answer("Reply: TRADE 5 of request 77, taker 2002 of user 43 sold 100 at 10050 to order 1001 of user 42");
        reply.set(ExecutionKind.TRADE, Side.ASK, (byte)0, true, false, false, 7, 0, 12, TIME_NS, 2002, 43, 1001, 42,
            PRICE, 100, PRICE);
        reply.details(77, 5, (byte)0);
        answer("Answer: RESULT of command 12, SUCCESS after one execution")
            .set(ExecutionKind.RESULT, Side.BID, (byte)0, false, false, false, 7, 1, 12, TIME_NS, 2002, 43, 0, 0, 0, 0,
                0);
        answer("Answer: LEVEL, three bids show 750 at 10050")
            .set(ExecutionKind.LEVEL, Side.BID, (byte)0, false, false, false, 7, 3, 14, 0, 0, 0, 0, 0, PRICE, 750, 0);
        answer("Answer: ORDER, a STOP_LIMIT bid of user 42, 500 at 10050 from 10040 on, which has not triggered")
            .set(ExecutionKind.ORDER, Side.BID, (byte)0, false, false, false, 7,
                OrderType.STOP_LIMIT | SelfTradePolicy.CANCEL_NEWEST << 8, 15, 0, 1001, 42, 0, 10_040, PRICE, 500,
                PRICE);
        answer("Answer: RESULT of an ORDER_BOOK_REQUEST with more rows: asks from 10080 on, 11 levels sent")
            .set(ExecutionKind.RESULT, Side.ASK, (byte)0, false, false, true, 7, 31, 13, 0, 0, 0, 0, 0, 10_080, 11, 0);
    }

    private static ExecutionEvent answer(final String name)
    {
        return ANSWERS.computeIfAbsent(name, each -> new ExecutionEvent());
    }

    @BeforeAll
    static void readPage() throws IOException
    {
        page = Files.readString(PAGE);
        text = page.replaceAll("\\s+", " ");
    }

    private static Map<String, byte[]> records()
    {
        return RECORD.matcher(page).results().collect(Collectors.toMap(block -> block.group(1), block ->
        {
            final StringBuilder hex = new StringBuilder();
            for (final MatchResult line : BYTES.matcher(block.group(2)).results().toList())
            {
                assertEquals(hex.length() / 2, Integer.parseInt(line.group(1)), () -> "offset in " + block.group(1));
                hex.append(line.group(2).replace(" ", ""));
            }
            return HexFormat.of().parseHex(hex);
        }));
    }

    @Test
    void shouldEncodeTheBytesOfThePage()
    {
        final Map<String, byte[]> records = records();
        final Set<String> names = new TreeSet<>(COMMANDS.keySet());
        names.addAll(ANSWERS.keySet());
        assertEquals(names, new TreeSet<>(records.keySet()));
        COMMANDS.forEach((name, command) -> check(name, records.get(name), command, new OrderCommand(),
            name.startsWith("NewOrder") || name.startsWith("CancelOrder") ? new OrderEntryCodec(7, 42) :
            new OrderCommandCodec()));
        ANSWERS.forEach((name, event) ->
        {
            final boolean isShort = name.startsWith("ExecutionReport");
            check(name, records.get(name), event, new ExecutionEvent(),
                isShort ? reportsAfter(6) : new ExecutionEventCodec());
        });
    }

    private static EventCodec<ExecutionEvent> reportsAfter(final int written)
    {
        final ExecutionReportCodec codec = new ExecutionReportCodec();
        final ByteView view = new ByteView(new byte[codec.maxLengthBytes()]);
        for (int i = 0; i < written; i++)
        {
            codec.encode(Samples.answers().get(ExecutionKind.TRADE), view, 0);
        }
        return codec;
    }

    private static <E> void check(
        final String name, final byte[] expected, final E event, final E into, final EventCodec<E> codec)
    {
        assertNotNull(expected, name);
        final byte[] bytes = new byte[codec.maxLengthBytes()];
        final int length = codec.encode(event, new ByteView(bytes), 0);
        assertEquals(HexFormat.of().formatHex(expected),
            HexFormat.of().formatHex(Arrays.copyOf(bytes, Math.max(0, length))), name);
        assertEquals(DecodeResult.OK, codec.decode(new ByteView(expected), 0, expected.length, into), name);
        assertEquals(event.toString(), into.toString(), name);
    }

    @Test
    void shouldDocumentTheActualLayoutOfEachRecord()
    {
        final Map<String, Integer> lengths = new LinkedHashMap<>();
        DRAWING.matcher(page).results().forEach(drawing ->
        {
            int offset = 0;
            for (final MatchResult row : ROW.matcher(drawing.group(2)).results().toList())
            {
                assertEquals(offset, Integer.parseInt(row.group(1)), () -> "offset in " + drawing.group(1));
                offset += row.group(2).isEmpty() ? 0 : Integer.parseInt(row.group(2));
            }
            lengths.put(drawing.group(1), offset);
        });
        assertEquals(Map.of("NewOrder", NewOrderDescriptor.LENGTH, "CancelOrder", CancelOrderDescriptor.LENGTH,
            "ExecutionReport", ExecutionReportDescriptor.LENGTH, "Command", CommandDescriptor.LENGTH,
            "Symbol", SymbolDescriptor.LENGTH, "Answer", AnswerDescriptor.LENGTH, "Request",
            CommandDescriptor.REQUEST_LENGTH, "SymbolRequest", SymbolDescriptor.REQUEST_LENGTH, "Reply",
            AnswerDescriptor.REPLY_LENGTH), lengths);
        lengths.forEach((record, length) -> assertTrue(
            Pattern.compile("\\| (\\d) \\| `" + record + "` \\| " + length + " \\|").matcher(page).results().anyMatch(
                row -> RecordType.lengthBytes(Byte.parseByte(row.group(1))) == length), record));
    }

    private static void assertNumbered(final int first, final int last, final IntFunction<String> name)
    {
        for (int number = first; number <= last; number++)
        {
            final String row = "\n| " + number + " | `" + name.apply(number) + "` |";
            assertTrue(page.contains(row), () -> "missing: " + row);
        }
    }

    @Test
    void shouldKeepTheNumbersOfCommandsOrderTypesPoliciesAndAnswers()
    {
        assertNumbered(CommandType.PLACE, CommandType.OPEN_ORDERS, number -> CommandType.name((byte)number));
        assertNumbered(OrderType.GTC, OrderType.GTD, number -> OrderType.name((byte)number));
        assertNumbered(SelfTradePolicy.ALLOW, SelfTradePolicy.DECREMENT, number -> SelfTradePolicy.name((byte)number));
        assertNumbered(ExecutionKind.TRADE, ExecutionKind.OPEN_INTEREST, number -> ExecutionKind.name((byte)number));
        assertNumbered(ExecutionReason.NONE, ExecutionReason.PRICE_BAND,
            number -> ExecutionReason.name((byte)number));
        for (final DecodeResult result : DecodeResult.values())
        {
            assertTrue(page.contains("`" + result + "`"), () -> "missing: " + result);
        }
        assertTrue(text.contains("at most " + MatchingService.DEFAULT_REPORT_ROWS + " rows"));
        assertTrue(text.contains("up to " + String.format(Locale.ROOT, "%,d", MatchingService.MAX_REPORT_ROWS)));
        assertTrue(text.contains("this page is version **" + RecordType.VERSION + "**"));
    }
}
