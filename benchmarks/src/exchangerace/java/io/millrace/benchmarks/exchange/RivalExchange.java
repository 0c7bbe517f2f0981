package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.OpenLoop;
import exchange.core2.core.ExchangeApi;
import exchange.core2.core.ExchangeCore;
import exchange.core2.core.common.CoreSymbolSpecification;
import exchange.core2.core.common.CoreWaitStrategy;
import exchange.core2.core.common.L2MarketData;
import exchange.core2.core.common.SymbolType;
import exchange.core2.core.common.api.ApiAddUser;
import exchange.core2.core.common.api.ApiAdjustUserBalance;
import exchange.core2.core.common.api.ApiCommand;
import exchange.core2.core.common.api.binary.BatchAddSymbolsCommand;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.config.ExchangeConfiguration;
import exchange.core2.core.common.config.InitialStateConfiguration;
import exchange.core2.core.common.config.LoggingConfiguration;
import exchange.core2.core.common.config.OrdersProcessingConfiguration;
import exchange.core2.core.common.config.PerformanceConfiguration;
import exchange.core2.core.common.config.ReportsQueriesConfiguration;
import exchange.core2.core.common.config.SerializationConfiguration;
import io.millrace.benchmarks.jmh.book.LevelHash;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.SymbolTerms;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * exchange-core 0.5.3 as an application would open it on two CPUs: its own configurations for latency and for
 * throughput, with one risk engine and one matching engine, waiting threads that yield, and no journal.
 * <pre>
 *  source --ring--&gt; grouping --&gt; risk --&gt; matching --+--&gt; results (meter)
 *                                                      +--&gt; risk, second step
 * </pre>
 * Each arrow is a hand-over between threads, except for the second step of risk, which is on the thread of the first.
 * Opened and closed by one thread; commands from one thread.
 */
final class RivalExchange implements OpenLoop.Outlet, AutoCloseable
{
    // A binary command is many messages in the ring, all of which have to fit.
    private static final int SYMBOLS_AT_A_TIME = 512;
    private static final long HANG_S = 30;

    private final ExchangeFlow flow;
    private final ApiCommand[] commands;
    private final RivalMeter meter = new RivalMeter();
    private final RivalThreads threads;
    private final ExchangeCore core;
    private final ExchangeApi api;

    /** Open it, empty, on two CPUs or, with {@link io.millrace.benchmarks.harness.Pinning#NONE}, anywhere. */
    RivalExchange(final ExchangeFlow flow, final ApiCommand[] commands, final int sourceCpu, final int otherCpu)
    {
        this.flow = flow;
        this.commands = commands;
        threads = new RivalThreads(sourceCpu, otherCpu);
        core = ExchangeCore.builder()
            .resultsConsumer(meter)
            .exchangeConfiguration(ExchangeConfiguration.builder()
                .ordersProcessingCfg(OrdersProcessingConfiguration.DEFAULT)
                .initStateCfg(InitialStateConfiguration.CLEAN_TEST)
                .performanceCfg(performance(flow.setup()))
                .reportsQueriesCfg(ReportsQueriesConfiguration.DEFAULT)
                .loggingCfg(LoggingConfiguration.DEFAULT)
                .serializationCfg(SerializationConfiguration.DEFAULT)
                .build())
            .build();
        core.startup();
        api = core.getApi();
    }

    private PerformanceConfiguration performance(final ExchangeSetup setup)
    {
        final boolean large = setup == ExchangeSetup.MEDIUM || setup == ExchangeSetup.PEAK;
        // Its published ones; that for throughput has four matching and two risk engines, for eleven CPUs and more.
        return (large ? PerformanceConfiguration.throughputPerformanceBuilder() :
            PerformanceConfiguration.latencyPerformanceBuilder())
            .matchingEnginesNum(1)
            .riskEnginesNum(1)
            .ringBufferSize(setup.ring)
            .msgsInGroupLimit(setup.group)
            .threadFactory(threads)
            // Five threads that only spin on two CPUs wait for each other's time slices, a hundred times as long.
            .waitStrategy(CoreWaitStrategy.YIELDING)
            .build();
    }

    /** Symbols; any thread, before the rest. */
    void addSymbols() throws InterruptedException
    {
        final List<CoreSymbolSpecification> symbols = new ArrayList<>();
        for (int i = 0; i < flow.symbols(); i++)
        {
            symbols.add(symbol(flow.spec(i), flow.terms(i)));
        }
        for (int from = 0; from < symbols.size(); from += SYMBOLS_AT_A_TIME)
        {
            final BatchAddSymbolsCommand batch = new BatchAddSymbolsCommand(
                symbols.subList(from, Math.min(symbols.size(), from + SYMBOLS_AT_A_TIME)));
            final CommandResultCode result = await(api.submitBinaryDataAsync(batch));
            if (result != CommandResultCode.SUCCESS)
            {
                throw new IllegalStateException("exchange-core refused symbols: " + result);
            }
        }
    }

    private static CoreSymbolSpecification symbol(final SymbolSpec spec, final SymbolTerms terms)
    {
        final boolean spot = spec.type() == io.millrace.engine.book.SymbolType.SPOT;
        return new CoreSymbolSpecification(spec.symbol(),
            spot ? SymbolType.CURRENCY_EXCHANGE_PAIR : SymbolType.FUTURES_CONTRACT, terms.baseCurrency(),
            terms.quoteCurrency(), terms.baseScaleK(), terms.quoteScaleK(), terms.takerFee(), terms.makerFee(),
            terms.marginBuy(), terms.marginSell());
    }

    private static <T> T await(final Future<T> answer) throws InterruptedException
    {
        try
        {
            return answer.get(HANG_S, TimeUnit.SECONDS);
        }
        catch (final ExecutionException | TimeoutException ex)
        {
            throw new IllegalStateException("exchange-core did not answer", ex);
        }
    }

    /** Users and balances; the source's thread. Returns how many commands it took. */
    int sendUsers()
    {
        final int[] sent = new int[1];
        for (int uid = 1; uid <= flow.users(); uid++)
        {
            api.submitCommand(new ApiAddUser(uid));
            sent[0]++;
        }
        flow.forEachBalance((uid, currency, amount) ->
        {
            api.submitCommand(new ApiAdjustUserBalance(uid, currency, amount, sent[0]));
            sent[0]++;
        });
        return sent[0];
    }

    /** Waits inside when the ring is full: their API has no other way. */
    @Override
    public boolean offer(final long number, final long intendedNs, final long nowNs)
    {
        final ApiCommand command = commands[(int)number];
        command.timestamp = intendedNs;
        api.submitCommand(command);
        return true;
    }

    RivalMeter meter()
    {
        return meter;
    }

    RivalThreads threads()
    {
        return threads;
    }

    /**
     * Result by its own order book requests; when all that was sent has been handled.
     *
     * @throws IllegalStateException when a command was refused: no user lacks funds.
     */
    ExchangeAnswer answer() throws InterruptedException
    {
        if (meter.tally().refused() != 0)
        {
            throw new IllegalStateException("exchange-core refused " + meter.tally().refused() + " commands");
        }
        final LevelHash levels = new LevelHash();
        for (int i = 0; i < flow.symbols(); i++)
        {
            reportLevels(await(api.requestOrderBookAsync(flow.spec(i).symbol(), -1)), levels);
        }
        return meter.tally().answer(levels);
    }

    private static void reportLevels(final L2MarketData book, final LevelHash levels)
    {
        for (int i = 0; i < book.bidSize; i++)
        {
            levels.onLevel(Side.BID, book.bidPrices[i], book.bidVolumes[i], (int)book.bidOrders[i]);
        }
        for (int i = 0; i < book.askSize; i++)
        {
            levels.onLevel(Side.ASK, book.askPrices[i], book.askVolumes[i], (int)book.askOrders[i]);
        }
    }

    /**
     * Also when it hangs: its threads are daemons.
     */
    @Override
    public void close()
    {
        core.shutdown(HANG_S, TimeUnit.SECONDS);
    }
}
