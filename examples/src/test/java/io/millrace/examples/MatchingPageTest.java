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
 * Runs the examples of {@code docs/matching.md}: each block named {@code book} begins with an empty book, each line
 * that is not indented is a command, and what comes of it must be the indented lines below.
 */
class MatchingPageTest
{
    private static final Path PAGE =
        Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize().resolve("docs/matching.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```book\\n(.*?)^```");
    /** What an engine without users answers, and what can be written in a block. */
    private static final Set<CommandResult> WITH_AN_EXAMPLE = EnumSet.of(
        CommandResult.SUCCESS, CommandResult.WRONG_SIZE, CommandResult.WRONG_PRICE, CommandResult.DUPLICATE_ORDER,
        CommandResult.UNKNOWN_ORDER, CommandResult.PRICE_OVER_RISK_LIMIT, CommandResult.BOOK_FULL,
        CommandResult.WRONG_STOP_PRICE, CommandResult.WRONG_DISPLAY_SIZE, CommandResult.WRONG_EXPIRY,
        CommandResult.WRONG_PARAMETER, CommandResult.WOULD_TRADE, CommandResult.NOT_TRIGGERED,
        CommandResult.ASK_BELOW_FEE, CommandResult.SYMBOL_HALTED, CommandResult.SYMBOL_NOT_HALTED);

    private static String page;

    @BeforeAll
    static void readPage() throws IOException
    {
        page = Files.readString(PAGE);
    }

    private static String blocks()
    {
        return BLOCK.matcher(page).results().map(block -> block.group(1)).collect(Collectors.joining());
    }

    @TestFactory
    List<DynamicTest> shouldSayOnThePageWhatTheBookDoes()
    {
        final List<DynamicTest> tests = new ArrayList<>();
        final Matcher block = BLOCK.matcher(page);
        while (block.find())
        {
            final String expected = block.group(1);
            final long line = page.substring(0, block.start()).lines().count() + 1;
            tests.add(DynamicTest.dynamicTest("line " + line, () ->
            {
                final List<String> commands = expected.lines().filter(text -> !text.startsWith(" ")).toList();
                assertEquals(expected, String.join("\n", new OrderPage().run(commands)) + "\n",
                    () -> "the block in line " + line);
            }));
        }
        assertTrue(tests.size() >= 10, tests.size() + " blocks");
        return tests;
    }

    @Test
    void shouldHaveAnExampleOfEveryResult()
    {
        final String blocks = blocks();
        for (final CommandResult result : WITH_AN_EXAMPLE)
        {
            assertTrue(blocks.contains("  " + result + "\n"), () -> "no example of " + result);
        }
    }

    @Test
    void shouldHaveAnExampleOfEveryExecution()
    {
        for (final String execution : List.of("TRADE", "REJECT", "REDUCE", "TRIGGER"))
        {
            assertTrue(blocks().contains("  " + execution + " "), () -> "no example of " + execution);
        }
    }

    @Test
    void shouldHaveARowOfEveryResult()
    {
        for (final CommandResult result : CommandResult.values())
        {
            assertTrue(page.contains("| " + result.code() + " | `" + result + "` |"), () -> "no row of " + result);
        }
    }

    @Test
    void shouldNameEveryTypePolicyAndCommand()
    {
        for (byte type = 0; OrderType.isValid(type); type++)
        {
            assertTrue(page.contains("**`" + OrderType.name(type) + "`"), "no rule of " + OrderType.name(type));
        }
        for (byte policy = 0; SelfTradePolicy.isValid(policy); policy++)
        {
            assertTrue(page.contains("`" + SelfTradePolicy.name(policy) + "`"), SelfTradePolicy.name(policy));
        }
        for (byte type = CommandType.PLACE; CommandType.isValid(type); type++)
        {
            assertTrue(page.contains("`" + CommandType.name(type) + "`"), CommandType.name(type));
        }
    }
}
