package io.millrace.engine.codec;

import io.millrace.engine.CommandType;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Records in, records out. Each COMMAND record gets its executions and one RESULT, whatever it contains; a refusal
 * changes nothing, and the money and the books agree at the end.
 */
class RecordsThroughServerTest
{
    private static final int RECORDS = 1_000_000;
    private static final int RECORDS_BETWEEN_VERIFICATIONS = 5_000;
    private static final long[] EXTREMES = {0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE, SymbolSpec.MAX_PRICE, 1L << 62,
        1L << 40, -(1L << 40), Integer.MAX_VALUE, 0x8000_0000L};
    private static final int USERS = 4;
    private static final int START = 100;
    /** About 40 of the 50 results come by chance in 100,000 records. */
    private static final int MET = 32;
    private static final SymbolSpec SPOT = SymbolSpec.spot(0).withOrderCapacity(32).withWindowTicks(64);
    private static final SymbolTerms SPOT_TERMS = SymbolTerms.spot(0, 1, 3, 2).withFees(5, 3);
    private static final SymbolSpec FUTURE =
        SymbolSpec.future(1).withOrderCapacity(32).withWindowTicks(64).withPrices(0, 1_000);
    private static final SymbolTerms FUTURE_TERMS = SymbolTerms.future(0, 1, 7, 8, 1_000);

    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 16);
    private final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
    private final MatchingService service = new MatchingService("records", new EngineContext()
        .symbol(SPOT, SPOT_TERMS).symbol(FUTURE, FUTURE_TERMS)
        .symbolCapacity(4).risk(new RiskLimits().withUsers(USERS).withMaxOpenOrders(20)), executions);
    private final OrderCommandCodec commandCodec = new OrderCommandCodec();
    private final ExecutionEventCodec answerCodec = new ExecutionEventCodec();
    private final ByteView in = new ByteView(new byte[SymbolDescriptor.REQUEST_LENGTH]);
    private final ByteView out = new ByteView(new byte[AnswerDescriptor.REPLY_LENGTH]);
    private final ExecutionEvent answer = new ExecutionEvent();
    private final OrderCommand filled = new OrderCommand();
    private final List<Throwable> errors = new ArrayList<>();
    private final Map<CommandResult, Integer> results = new EnumMap<>(CommandResult.class);
    private final long[] kinds = new long[ExecutionKind.OPEN_INTEREST + 1];
    private Random random;
    private CommandResult result;
    private int answers;
    private boolean expired;

    private void hear(final ExecutionEvent event)
    {
        final int length = answerCodec.encode(event, out, 0);
        assertEquals(RecordType.lengthBytes(out.getByte(0)), length);
        assertEquals(DecodeResult.OK, answerCodec.decode(out, 0, length, answer), event::toString);
        assertEquals(filled.correlation(), answer.correlation());
        assertEquals(null, result, "nothing comes behind the RESULT");
        kinds[answer.kind()]++;
        if (answer.kind() == ExecutionKind.RESULT)
        {
            assertEquals(answers, answer.executionCount());
            result = answer.result();
            results.merge(result, 1, Integer::sum);
        }
        else
        {
            answers++;
            expired |= answer.kind() == ExecutionKind.REDUCE;
        }
    }

    private long number(final int small)
    {
        return random.nextInt(16) == 0 ? random.nextBoolean() ? EXTREMES[random.nextInt(EXTREMES.length)] :
            random.nextLong() : random.nextInt(small);
    }

    private byte enumByte(final int count)
    {
        return (byte)(random.nextInt(32) == 0 ? random.nextInt() : random.nextInt(count));
    }

    private byte command()
    {
        return switch (random.nextInt(4))
        {
            case 0, 1 -> CommandType.PLACE;
            case 2 -> (byte)(CommandType.PLACE + random.nextInt(5));
            default -> enumByte(CommandType.OPEN_ORDERS + 2);
        };
    }

    private void fillRecord(final int step)
    {
        if (step <= START || step % 8 == 0)
        {
            restore(step);
        }
        else if (random.nextInt(200) == 0)
        {
            filled.addSymbol(SymbolSpec.future(2 + random.nextInt(4)).withOrderCapacity(16).withWindowTicks(64)
                .withPrices(0, 1_000), random.nextInt(4) == 0 ? null : SymbolTerms.future(2, 3, 1, 1, 100));
        }
        else
        {
            final byte type = enumByte(11);
            filled.set(command(), type, enumByte(2), enumByte(5), (int)number(random.nextInt(4) == 0 ? 5 : 2),
                number(40), number(USERS),
                100 + number(21) - 10, number(20), 100 + number(40), parameter(type, step), timeNs(step))
                .correlation(random.nextInt(3) == 0 ? number(9) : 0);
        }
        assertTrue(commandCodec.encode(filled, in, 0) > 0);
    }

    /** Users with money, and symbols that trade: otherwise all commands are refused in the end. */
    private void restore(final int step)
    {
        final int uid = random.nextInt(USERS);
        switch (step <= START ? step % 2 : random.nextInt(6))
        {
            case 0 -> filled.adjustBalance(uid, random.nextInt(2), 1_000_000, step);
            case 1 -> filled.addUser(uid);
            case 2 -> filled.addSymbol(SPOT, SPOT_TERMS);
            case 3 -> filled.addSymbol(FUTURE, FUTURE_TERMS);
            default -> filled.resumeSymbol(random.nextInt(2));
        }
    }

    private long parameter(final byte type, final int step)
    {
        return switch (type)
        {
            case 7, 8 -> 100 + number(21) - 10;
            case 9 -> 1 + number(6);
            case 10 -> step + number(100);
            default -> random.nextInt(64) == 0 ? number(5) : 0;
        };
    }

    private long timeNs(final int step)
    {
        return random.nextInt(500) == 0 ? number(5) : random.nextBoolean() ? step : 0;
    }

    private void run(final int records)
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        System.out.println("RecordsThroughServerTest: -Dmillrace.seed=" + seed);
        random = new Random(seed);
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("commands", f -> f.from(commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("hear", (event, sequence, endOfBatch) -> hear(event))));
        for (int step = 1; step <= records && errors.isEmpty(); step++)
        {
            fillRecord(step);
            give(server, "seed " + seed + " step " + step);
            if (step % RECORDS_BETWEEN_VERIFICATIONS == 0)
            {
                service.engine().verify();
            }
        }
        server.close();
        assertEquals(List.of(), errors, "seed " + seed);
        service.engine().verify();
        for (byte kind = 0; ExecutionKind.isValid(kind); kind++)
        {
            assertTrue(kinds[kind] > 0, "never: " + ExecutionKind.name(kind));
        }
        assertTrue(results.size() > MET, () -> "few results are met: " + results);
    }

    private void give(final Server server, final String where)
    {
        final long hash = service.engine().stateHash();
        result = null;
        answers = 0;
        expired = false;
        final OrderCommand claimed = commands.claim();
        assertEquals(DecodeResult.OK, commandCodec.decode(in, 0, RecordType.lengthBytes(in.getByte(0)), claimed));
        commands.publish(claimed);
        server.invoke();
        if (errors.isEmpty())
        {
            assertTrue(result != null, () -> where + " is not answered: " + filled);
            if (result != CommandResult.SUCCESS && !expired)
            {
                assertEquals(hash, service.engine().stateHash(), () -> where + " " + result + " changed it: " + filled);
                assertEquals(0, answers, where);
            }
        }
        else
        {
            throw new AssertionError(where + ": " + filled, errors.get(0));
        }
    }

    @Test
    void shouldAnswerEveryCommandRecord()
    {
        run(RECORDS / 10);
    }

    @Test
    @Tag("faults")
    void shouldAnswerAMillionCommandRecords()
    {
        run(RECORDS);
    }
}
