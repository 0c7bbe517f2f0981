package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.jmh.Topology;
import io.millrace.benchmarks.rate.CostRunner;
import io.millrace.benchmarks.rate.MessageMeter;
import io.millrace.benchmarks.rate.PlainEvent;
import io.millrace.benchmarks.rate.RateHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class FanOutLatencyTest
{
    private static final RoundPlan PLAN =
        new RoundPlan(100_000, 10, 64, RateHandler.EMPTY, Pinning.NONE, Pinning.NONE);

    private final MessageMeter meter = new MessageMeter(RateHandler.EMPTY);
    private final FanOutStages stages = new FanOutStages(Topology.FAN_OUT, meter);
    private final PlainEvent event = new PlainEvent();

    @ParameterizedTest
    // The batch processor of lmaxFused has a busy-spinning thread: only in the stress tests.
    @CsvSource({"LMAX_POLLED,FAN_OUT", "LMAX_POLLED,JOURNAL", "RING_POLLED,FAN_OUT", "RING_POLLED,JOURNAL",
        "RING_FUSED,FAN_OUT", "RING_FUSED,JOURNAL"})
    void shouldBringEveryEventToEveryStage(final FanOutKind kind, final Topology topology)
    {
        final CommandColumns commands = FanOutLatency.commands();
        final CostRunner.Cost cost = new CostRunner(kind.contender(topology), commands).run(PLAN, 10_000);
        assertTrue(cost.sent() >= 10_000);
        assertEquals(commands.checksum(cost.sent()), cost.checksum());
    }

    @Test
    void shouldNoticeAStageThatSawLessThanTheOthers()
    {
        meter.onStart();
        stages.acceptAll(event, 0);
        stages.verify();
        stages.accept(2, event, 0);
        assertThrows(IllegalStateException.class, stages::verify);
    }

    @Test
    void shouldTimeEachEventAloneAfterItsLastStage()
    {
        meter.onStart();
        event.stamp(System.nanoTime(), System.nanoTime());
        stages.accept(0, event, 0);
        stages.accept(1, event, 0);
        assertEquals(0, meter.events().intended().getTotalCount());
        stages.accept(2, event, 0);
        assertEquals(1, meter.events().intended().getTotalCount());
        assertEquals(1, meter.ledger().direct().getTotalCount());
    }

    @Test
    void shouldNoticeAStageThatRunsAheadOfTheJournal()
    {
        final FanOutStages withJournal = new FanOutStages(Topology.JOURNAL, meter);
        assertThrows(IllegalStateException.class, () -> withJournal.accept(1, event, 0));
    }
}
