package io.millrace.examples;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs the examples of {@code docs/order-types.md}. Each block named {@code book} starts with an empty book. A line
 * that is not indented is a command; the indented lines below it must be its executions and its result. Also checks
 * that {@code docs/result-codes.md} has a row for each result, and that {@code docs/matching.md} names each command.
 */
class MatchingPageTest
{
    private static final Path DOCS =
        Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize().resolve("docs");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```book\\n(.*?)^```");
    /** What an engine without users answers, and what can be written in a block. */
    private static final Set<CommandResult> WITH_AN_EXAMPLE = EnumSet.of(
        CommandResult.SUCCESS, CommandResult.WRONG_SIZE, CommandResult.WRONG_PRICE, CommandResult.DUPLICATE_ORDER,
        CommandResult.UNKNOWN_ORDER, CommandResult.PRICE_OVER_RISK_LIMIT, CommandResult.BOOK_FULL,
        CommandResult.WRONG_STOP_PRICE, CommandResult.WRONG_DISPLAY_SIZE, CommandResult.WRONG_EXPIRY,
        CommandResult.WRONG_PARAMETER, CommandResult.WOULD_TRADE, CommandResult.NOT_TRIGGERED,
        CommandResult.ASK_BELOW_FEE, CommandResult.SYMBOL_HALTED, CommandResult.SYMBOL_NOT_HALTED);

    private static String orderTypes;
    private static String resultCodes;
    private static String commands;

    @BeforeAll
    static void readPages() throws IOException
    {
        orderTypes = Files.readString(DOCS.resolve("order-types.md"));
        resultCodes = Files.readString(DOCS.resolve("result-codes.md"));
        commands = Files.readString(DOCS.resolve("matching.md"));
    }

    private static String blocks()
    {
        return BLOCK.matcher(orderTypes).results().map(block -> block.group(1)).collect(Collectors.joining());
    }

    @TestFactory
    List<DynamicTest> shouldMatchThePageToTheBook()
    {
        final List<DynamicTest> tests = new ArrayList<>();
        final Matcher block = BLOCK.matcher(orderTypes);
        while (block.find())
        {
            final String expected = block.group(1);
            final long line = orderTypes.substring(0, block.start()).lines().count() + 1;
            tests.add(DynamicTest.dynamicTest("line " + line, () ->
            {
                final List<String> lines = expected.lines().filter(text -> !text.startsWith(" ")).toList();
                assertEquals(expected, String.join("\n", new OrderPage().run(lines)) + "\n",
                    () -> "the block in line " + line);
            }));
        }
        assertTrue(tests.size() >= 10, tests.size() + " blocks");
        return tests;
    }

    @Test
    void shouldShowAnExampleOfEveryResult()
    {
        final String blocks = blocks();
        for (final CommandResult result : WITH_AN_EXAMPLE)
        {
            assertTrue(blocks.contains("  " + result + "\n"), () -> "no example of " + result);
        }
    }

    @Test
    void shouldShowAnExampleOfEveryExecution()
    {
        for (final String execution : List.of("TRADE", "REJECT", "REDUCE", "TRIGGER"))
        {
            assertTrue(blocks().contains("  " + execution + " "), () -> "no example of " + execution);
        }
    }

    @Test
    void shouldDocumentEveryResultInARow()
    {
        for (final CommandResult result : CommandResult.values())
        {
            assertTrue(
                resultCodes.contains("| " + result.code() + " | `" + result + "` |"), () -> "no row of " + result);
        }
    }

    @Test
    void shouldNameEveryTypePolicyAndCommand()
    {
        for (byte type = 0; OrderType.isValid(type); type++)
        {
            assertTrue(orderTypes.contains("**`" + OrderType.name(type) + "`"), "no rule of " + OrderType.name(type));
        }
        for (byte policy = 0; SelfTradePolicy.isValid(policy); policy++)
        {
            assertTrue(orderTypes.contains("`" + SelfTradePolicy.name(policy) + "`"), SelfTradePolicy.name(policy));
        }
        for (byte type = CommandType.PLACE; CommandType.isValid(type); type++)
        {
            assertTrue(commands.contains("`" + CommandType.name(type) + "`"), CommandType.name(type));
        }
    }
}
