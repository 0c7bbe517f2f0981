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

    /**
     * Second byte of COMMAND, SYMBOL and ANSWER. The three short records have no version.
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
            default:
                return 0;
        }
    }
}
