package io.millrace.benchmarks.jmh.book;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.CommandFile;
import io.millrace.benchmarks.flow.MixFlow;
import io.millrace.benchmarks.flow.CommandColumns;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BookContenderTest
{
    @TempDir
    Path dir;

    private static List<String> books()
    {
        return RaceSetup.FLOW.contenders().stream().filter(name -> !name.equals(BookContender.LOOP)).toList();
    }

    /** The first 100,000 commands of seed 1 are those of the recording margin_100k, with its published answer. */
    @ParameterizedTest
    @MethodSource("books")
    void shouldComeToTheAnswerOfTheRecording(final String name)
    {
        final BookFlow flow = BookFlow.generated(100_000);
        final BookContender book = BookContender.named(name, flow.commands());
        book.begin(true);
        book.give(0, flow.endTimed());

        final BookAnswer answer = book.answer();
        assertEquals("4f3ac1443e85dccf", Long.toHexString(answer.eventHash()));
        assertEquals(4_227 + 14_371, answer.events());
        assertEquals(495 + 465, answer.resting());
        assertEquals(0, answer.refused());
        assertEquals(BookLap.ANSWER, answer);
    }

    @ParameterizedTest
    @MethodSource("books")
    void shouldReachTheSameResultInEachLap(final String name)
    {
        final BookFlow flow = BookFlow.generated(10_000);
        final BookContender book = BookContender.named(name, flow.commands());
        BookAnswer first = null;
        for (int lap = 0; lap < 3; lap++)
        {
            book.begin(false);
            book.give(0, flow.endTimed());
            first = first == null ? book.answer() : first;
            assertEquals(first, book.answer());
            book.give(flow.endTimed(), flow.commands().count());
            assertEquals(0, book.answer().resting());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSettleAllMoneyAndRefuseNothingWithRisk(final boolean spot)
    {
        final BookFlow flow = BookFlow.generated(10_000);
        final EngineBook book = spot ? EngineBook.spot(flow.commands()) : EngineBook.margin(flow.commands());
        book.begin(false);
        book.give(0, flow.endTimed());
        book.verify();
        book.give(flow.endTimed(), flow.commands().count());
        book.verify();
        assertEquals(new BookAnswer(book.answer().events(), book.answer().eventHash(), 0, 0, new LevelHash().hash()),
            book.answer());
    }

    private static List<String> booksOfTheMix()
    {
        return RaceSetup.MIX.contenders().stream().filter(name -> !name.equals(BookContender.LOOP)).toList();
    }

    @ParameterizedTest
    @MethodSource("booksOfTheMix")
    void shouldGiveTheAnswerOfOurBookOnTheMixInEachLap(final String name) throws IOException
    {
        final Path file = dir.resolve("mix.csv");
        CommandFile.write(MixFlow.of(7, 20_000), file);
        final BookFlow flow = BookFlow.mixed(file.toString());
        final BookContender ours = BookContender.named(BookContender.MILLRACE, flow.commands());
        final BookContender book = BookContender.named(name, flow.commands());
        for (int lap = 0; lap < 3; lap++)
        {
            ours.begin(true);
            book.begin(true);
            ours.give(0, flow.endTimed());
            book.give(0, flow.endTimed());
            assertEquals(ours.answer(), book.answer());
            ours.give(flow.endTimed(), flow.commands().count());
            book.give(flow.endTimed(), flow.commands().count());
            assertEquals(0, book.answer().resting());
        }
    }

    /** Without this, Parity would announce the cancel, and drop the order that came to the same price after it. */
    @ParameterizedTest
    @MethodSource("booksOfTheMix")
    void shouldRefuseToCancelAFilledOrder(final String name)
    {
        final CommandColumns commands = new CommandColumns("by hand");
        commands.add(0, BookCommands.place(true, "GTC"), 1, 51, 100, 5, 100);
        commands.add(1, BookCommands.place(false, "GTC"), 2, 52, 100, 5, 0);
        commands.add(2, BookCommands.place(true, "GTC"), 3, 53, 100, 4, 100);
        commands.add(3, BookCommands.CANCEL, 1, 51, 100, 0, 0);
        commands.add(4, BookCommands.CANCEL, 9, 51, 100, 0, 0);
        final BookContender book = BookContender.named(name, commands);
        book.begin(true);
        book.give(0, 5);
        final BookAnswer answer = book.answer();
        assertEquals(1, answer.events());
        assertEquals(2, answer.refused());
        assertEquals(1, answer.resting());
    }

    @Test
    void shouldDistinguishAnswers()
    {
        final CommandColumns commands = new CommandColumns("by hand");
        commands.add(0, BookCommands.place(true, "GTC"), 1, 51, 100, 5, 100);
        commands.add(1, BookCommands.place(false, "IOC"), 2, 52, 100, 3, 0);
        commands.add(2, BookCommands.CANCEL, 7, 51, 0, 0, 0);
        final BookContender book = BookContender.named(BookContender.MILLRACE, commands);
        book.begin(false);
        final BookAnswer empty = book.answer();
        book.give(0);
        final BookAnswer resting = book.answer();
        assertEquals(new BookAnswer(0, empty.eventHash(), 0, 1, resting.levelHash()), resting);
        assertNotEquals(empty.levelHash(), resting.levelHash());
        book.give(1);
        final BookAnswer traded = book.answer();
        assertEquals(1, traded.events());
        assertNotEquals(resting.eventHash(), traded.eventHash());
        assertNotEquals(resting.levelHash(), traded.levelHash());
        book.give(2);
        assertEquals(new BookAnswer(1, traded.eventHash(), 1, 1, traded.levelHash()), book.answer());
    }

    @Test
    void shouldReadEveryCommandInTheLoop()
    {
        final BookFlow flow = BookFlow.generated(1_000);
        final BookContender loop = BookContender.named(BookContender.LOOP, flow.commands());
        loop.give(0, flow.endTimed());
        final long all = loop.answer().levelHash();
        loop.give(0, flow.endTimed() - 1);
        assertNotEquals(all, loop.answer().levelHash());
        loop.give(0, flow.endTimed());
        assertEquals(all, loop.answer().levelHash());
    }

    @Test
    void shouldRefuseAContenderThatIsNotThere()
    {
        final CommandColumns commands = new CommandColumns("none");
        assertThrows(IllegalArgumentException.class, () -> BookContender.named("no such book", commands));
        if (!BookContender.hasRival())
        {
            final IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
                () -> BookContender.named(BookContender.EXCHANGE_CORE, commands));
            assertTrue(refusal.getMessage().contains("-Pbook-race"), refusal::getMessage);
        }
    }
}
