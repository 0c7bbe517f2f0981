package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandFields;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderSizes;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.PriceBand;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolStatus;
import io.millrace.engine.risk.SymbolRisk;
import io.millrace.engine.tables.Fnv;

/**
 * A symbol of an engine: its book, its risk if the engine keeps users, and whether it is halted. Used by the engine's
 * thread only.
 */
final class TradedSymbol
{
    /** Index of a symbol that is not in the {@link ExpiryQueue}. */
    static final int NOT_QUEUED = -1;

    final int number;
    final int slot;
    final OrderBook book;
    /** Null when the engine keeps no users. */
    final SymbolRisk risk;
    /** The next in its chain of the {@link SymbolTable}, or null. */
    TradedSymbol next;
    /** Whether the book alone cannot check a command: it is halted or can be by a price band, or has a rate limit. */
    boolean needsChecks;
    private boolean isHalted;
    /** Whether a command that reaches the price band halts it. */
    private final boolean haltsAtBand;
    private final boolean hasRateLimit;
    /** Its index and its time in the {@link ExpiryQueue}; not part of the state. */
    int expiryIndex = NOT_QUEUED;
    long expiryNs;

    TradedSymbol(final int slot, final OrderBook book, final SymbolRisk risk, final boolean hasRateLimit)
    {
        number = book.spec().symbol();
        haltsAtBand = book.spec().priceBand().policy() == PriceBand.Policy.HALT;
        this.slot = slot;
        this.book = book;
        this.risk = risk;
        this.hasRateLimit = hasRateLimit;
        halted(false);
    }

    int symbol()
    {
        return number;
    }

    /** Halts it if its last command has reached the price band and the policy says so; returns the result. */
    CommandResult settled(final CommandResult result)
    {
        if (haltsAtBand && book.consumeBandReached())
        {
            status(true, SymbolStatus.HALTED);
        }
        return result;
    }

    /** Whether a symbol exists and is not halted. */
    static CommandResult check(final TradedSymbol symbol)
    {
        return symbol == null ? CommandResult.UNKNOWN_SYMBOL :
            symbol.isHalted ? CommandResult.SYMBOL_HALTED : CommandResult.SUCCESS;
    }

    CommandResult halt()
    {
        return isHalted ? CommandResult.SYMBOL_HALTED : status(true, SymbolStatus.HALTED);
    }

    CommandResult resume()
    {
        return isHalted ? status(false, SymbolStatus.TRADING) : CommandResult.SYMBOL_NOT_HALTED;
    }

    boolean isHalted()
    {
        return isHalted;
    }

    /** Without a report. */
    void halted(final boolean halted)
    {
        isHalted = halted;
        needsChecks = halted || haltsAtBand || hasRateLimit;
    }

    private CommandResult status(final boolean halted, final byte status)
    {
        halted(halted);
        book.reportStatus(status);
        return CommandResult.SUCCESS;
    }

    /** Reads the sizes of the order of a successful command if it may be open now. */
    CommandResult readSizes(final CommandFields command, final OrderSizes sizes)
    {
        if (!book.readLatestSizes(command.orderId(), sizes) && mayBeOpen(command))
        {
            book.readSizes(command.orderId(), sizes);
        }
        return CommandResult.SUCCESS;
    }

    private static boolean mayBeOpen(final CommandFields command)
    {
        final byte type = command.commandType();
        return type == BookCommand.PLACE ? OrderType.rests(command.orderType()) : type != BookCommand.CANCEL;
    }

    /** Hash of everything that decides the results of the next commands, except users and their money. */
    long hash()
    {
        final SymbolSpec spec = book.spec();
        // Users, accounts, positions, currencies and terms begin with 1 to 5.
        long hash = Fnv.add(Fnv.add(Fnv.OFFSET, 6), spec.symbol());
        hash = Fnv.add(hash, spec.type().ordinal());
        hash = Fnv.add(hash, spec.orderCapacity());
        hash = Fnv.add(hash, spec.minPrice());
        hash = Fnv.add(hash, spec.maxPrice());
        hash = spec.addTradingLimits(Fnv.add(hash, spec.minAskPrice()));
        hash = Fnv.add(hash, book.stateHash());
        return Fnv.mix(Fnv.add(hash, isHalted ? 1 : 0));
    }
}
