package io.millrace.engine.book;

import io.millrace.engine.CommandType;
import io.millrace.engine.MatchingEngine;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The bare books against recorded streams that two other order books agreed on. */
class OracleBookTest
{
    private byte side;

    /** Runs a stream through an engine, judged command by command. */
    private OracleJudge replay(final OracleStream stream)
    {
        final OracleJudge judge = new OracleJudge(stream);
        final MatchingEngine engine = new MatchingEngine(stream.symbols(), judge);
        for (int i = 0; i < stream.commands().size(); i++)
        {
            final OracleStream.Command command = stream.commands().get(i);
            if (command.side() != OracleStream.NO_SIDE)
            {
                assertEquals(command.side(), sideOf(engine, command), () -> "side of " + command);
            }
            judge.command(i);
            judge.result(execute(engine, command));
        }
        judge.finish(engine);
        return judge;
    }

    private byte sideOf(final MatchingEngine engine, final OracleStream.Command command)
    {
        side = command.side();
        if (command.type() != CommandType.PLACE)
        {
            side = OracleStream.NO_SIDE;
            engine.book(command.symbol()).withOrder(
                command.orderId(), (id, uid, s, price, size, filled, reserve) -> side = s);
        }
        return side;
    }

    private static CommandResult execute(final MatchingEngine engine, final OracleStream.Command c)
    {
        return switch (c.type())
        {
            case CommandType.PLACE ->
                engine.execute(c.symbol(), new BookCommand().place(c.orderType(), c.side()).orderId(c.orderId())
                    .uid(c.uid()).price(c.price()).size(c.size()).reservePrice(c.reservePrice()));
            case CommandType.CANCEL -> engine.cancel(c.symbol(), c.orderId(), c.uid());
            case CommandType.REDUCE -> engine.reduce(c.symbol(), c.orderId(), c.uid(), c.size());
            default -> engine.move(c.symbol(), c.orderId(), c.uid(), c.price());
        };
    }

    private void shouldMatchTheBenchmarkFlow(final OracleStream stream)
    {
        assertEquals(101_000, stream.commands().size());
        final OracleJudge judge = replay(stream);
        assertEquals(stream.summary("tradeEvents"), judge.trades());
        assertEquals(stream.summary("tradeVolume"), judge.tradeVolume());
        assertEquals(stream.summary("tradeNotional(sum price*size)"), judge.tradeNotional());
        assertEquals(stream.summary("rejectEvents"), judge.rejects());
        assertEquals(stream.summary("reduceEvents"), judge.reduces());
    }

    @Test
    void shouldMatchTheBenchmarkFlowOfAFuture()
    {
        shouldMatchTheBenchmarkFlow(OracleStream.margin100k());
    }

    @Test
    void shouldMatchTheBenchmarkFlowOfASpotSymbol()
    {
        shouldMatchTheBenchmarkFlow(OracleStream.exchange100k());
    }

    @Test
    void shouldMatchFourBooksBehindRisk()
    {
        final OracleStream stream = OracleStream.coreRisk20k();
        assertEquals(18_843, stream.commands().size());
        final OracleJudge judge = replay(stream);
        assertEquals(1_842, judge.rejects());
        assertEquals(8_024, judge.trades() + judge.rejects() + judge.reduces());
    }

    /** The judge of the property test is judged by the same stream. */
    @Test
    void shouldConfirmTheReference()
    {
        final OracleStream stream = OracleStream.coreRisk20k();
        final OracleJudge judge = new OracleJudge(stream);
        final Map<Integer, ReferenceBook> books = new HashMap<>();
        stream.symbols().forEach(spec -> books.put(spec.symbol(), new ReferenceBook(spec, judge)));
        for (int i = 0; i < stream.commands().size(); i++)
        {
            final OracleStream.Command given = stream.commands().get(i);
            final RandomCommand command = new RandomCommand();
            command.type = given.type();
            command.orderType = given.orderType();
            command.side = given.side();
            command.orderId = given.orderId();
            command.uid = given.uid();
            command.price = given.price();
            command.size = given.size();
            command.reserve = given.reservePrice();
            judge.command(i);
            judge.result(command.giveTo(books.get(given.symbol())));
        }
        assertEquals(Long.toHexString(stream.fnv()), Long.toHexString(judge.fnv()));
    }
}
