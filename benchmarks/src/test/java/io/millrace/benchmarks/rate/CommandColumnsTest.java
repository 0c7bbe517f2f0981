package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.engine.book.SymbolSpec;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.benchmarks.flow.CommandColumns;

import org.junit.jupiter.api.Test;

class CommandColumnsTest
{
    private static CommandColumns commands(final int count)
    {
        return OrderFlow.of(SymbolSpec.future(1), 1, 1, count - 1);
    }

    @Test
    void shouldCountTheCommandsOfAsManyLapsAsAreAskedFor()
    {
        final CommandColumns commands = commands(10);
        assertEquals(25, Arrays.stream(commands.counts(25)).sum());
        final long[] twice = Arrays.stream(commands.counts(10)).map(count -> 2 * count).toArray();
        final long[] half = commands.counts(5);
        final long[] sum = new long[half.length];
        Arrays.setAll(sum, i -> twice[i] + half[i]);
        assertEquals(CommandWord.byName(sum), CommandWord.byName(commands.counts(25)));
    }

    @Test
    void shouldSeeEveryChangedField()
    {
        final long right = FieldChecksum.add(FieldChecksum.START, 1, 2, 3, 4, 5, 6, 7);
        for (int field = 0; field < 7; field++)
        {
            final long[] values = {1, 2, 3, 4, 5, 6, 7};
            values[field]++;
            assertNotEquals(right, FieldChecksum.add(FieldChecksum.START, (int)values[0], (int)values[1], values[2],
                values[3], values[4], values[5], values[6]), "field " + field);
        }
        assertNotEquals(right, FieldChecksum.add(FieldChecksum.START, 2, 1, 3, 4, 5, 6, 7), "two fields swapped");
    }

    @Test
    void shouldSeeALostARepeatedAndASwappedEvent()
    {
        final CommandColumns commands = commands(4);
        final long right = sum(commands, 0, 1, 2, 3);
        assertEquals(right, commands.checksum(4));
        assertNotEquals(right, sum(commands, 0, 1, 3));
        assertNotEquals(right, sum(commands, 0, 1, 1, 2, 3));
        assertNotEquals(right, sum(commands, 0, 2, 1, 3));
    }

    private static long sum(final CommandColumns commands, final int... order)
    {
        long sum = FieldChecksum.START;
        final PlainEvent event = new PlainEvent();
        for (final int index : order)
        {
            event.fill(commands, index);
            sum = event.addTo(sum);
        }
        return sum;
    }

    @Test
    void shouldTakeNoMoreCommandsThanTheCapacity()
    {
        final CommandColumns commands = commands(CommandColumns.MAX_COMMANDS);
        assertEquals("more than 4000000 commands", assertThrows(IllegalStateException.class,
            () -> commands.add(0, 0, 0, 0, 0, 0, 0)).getMessage());
    }
}
