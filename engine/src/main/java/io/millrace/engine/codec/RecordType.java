package io.millrace.engine.codec;

/**
 * The first byte of each record. It determines the length of the record, so that a reader of a stream finds the next
 * one.
 */
public final class RecordType
{
    /**
     * A GTC order in the short form, see {@link NewOrderDescriptor}.
     */
    public static final byte NEW_ORDER = 1;

    /**
     * A cancel in the short form, see {@link CancelOrderDescriptor}.
     */
    public static final byte CANCEL_ORDER = 2;

    /**
     * A trade in the short form, see {@link ExecutionReportDescriptor}.
     */
    public static final byte EXECUTION_REPORT = 3;

    /** Any command except ADD_SYMBOL, see {@link CommandDescriptor}. */
    public static final byte COMMAND = 4;

    /**
     * ADD_SYMBOL, see {@link SymbolDescriptor}.
     */
    public static final byte SYMBOL = 5;

    /**
     * An execution, a row of a report or a result, see {@link AnswerDescriptor}.
     */
    public static final byte ANSWER = 6;

    /** A COMMAND with a request id, see {@link CommandDescriptor#REQUEST_LENGTH}. */
    public static final byte REQUEST = 7;

    /** A SYMBOL with a request id and further limits, see {@link SymbolDescriptor#REQUEST_LENGTH}. */
    public static final byte SYMBOL_REQUEST = 8;

    /** An ANSWER with a request id, trade id and reason, see {@link AnswerDescriptor#REPLY_LENGTH}. */
    public static final byte REPLY = 9;

    /**
     * Second byte of all records except the three short ones, which have no version.
     */
    public static final byte VERSION = 1;

    /** Offset of the version in the records that have one. */
    static final int VERSION_OFFSET = 1;

    private RecordType()
    {
    }

    /**
     * Length of a record.
     * @param type its first byte, any.
     * @return bytes; 0 for a byte that is not a type.
     */
    public static int lengthBytes(final byte type)
    {
        switch (type)
        {
            case NEW_ORDER:
                return NewOrderDescriptor.LENGTH;
            case CANCEL_ORDER:
                return CancelOrderDescriptor.LENGTH;
            case EXECUTION_REPORT:
                return ExecutionReportDescriptor.LENGTH;
            case COMMAND:
                return CommandDescriptor.LENGTH;
            case SYMBOL:
                return SymbolDescriptor.LENGTH;
            case ANSWER:
                return AnswerDescriptor.LENGTH;
            case REQUEST:
                return CommandDescriptor.REQUEST_LENGTH;
            case SYMBOL_REQUEST:
                return SymbolDescriptor.REQUEST_LENGTH;
            case REPLY:
                return AnswerDescriptor.REPLY_LENGTH;
            default:
                return 0;
        }
    }
}
