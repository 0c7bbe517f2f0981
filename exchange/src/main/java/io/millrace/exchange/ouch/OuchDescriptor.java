package io.millrace.exchange.ouch;

/**
 * Layout of the messages of the OUCH 5.0 subset. All numbers are big-endian and unsigned; prices are in 1/10,000 of the
 * currency; texts are ASCII, padded right with spaces. Each message begins with its type letter. From a client:
 * <pre>
 *  O enter        1 ref u32, 5 side, 6 quantity u32, 10 symbol 8, 18 price u64, 26 time in force, 27 display,
 *                 28 capacity, 29 sweep, 30 cross type, 31 client's id 14, 45 appendage length u16
 *  U replace      1 old ref u32, 5 new ref u32, 9 quantity u32, 13 price u64, 21 time in force, 22 display, 23 sweep,
 *                 24 client's id 14, 38 appendage length u16
 *  X cancel       1 ref u32, 5 quantity u32, (9 appendage length u16)
 *  M modify       1 ref u32, 5 side, 6 quantity u32, (10 appendage length u16)
 *  C mass cancel  1 ref u32, 5 firm 4, 9 symbol 8, (17 appendage length u16)
 * </pre>
 * The appendage length in parentheses may be missing; the others may not. To a client, each with its time in
 * nanoseconds since midnight at 1, and most with the ref at 9:
 * <pre>
 *  S system event   9 code
 *  A accepted       9 ref, 13 side, 14 quantity, 18 symbol, 26 price, 34 time in force, 35 display, 36 reference u64,
 *                   44 capacity, 45 sweep, 46 cross type, 47 state, 48 client's id 14, 62 appendage length
 *  U replaced       9 old ref, 13 ref, 17 side, 18 quantity, 22 symbol, 30 price, 38 time in force, 39 display,
 *                   40 reference u64, 48 capacity, 49 sweep, 50 cross type, 51 state, 52 client's id 14,
 *                   66 appendage length
 *  C canceled       9 ref, 13 quantity, 17 reason
 *  E executed       9 ref, 13 quantity, 17 price u64, 25 liquidity, 26 match number u64, 34 appendage length
 *  J rejected       9 ref, 13 reason u16, 15 client's id 14
 *  I cancel reject  9 ref
 *  M modified       9 ref, 13 side, 14 quantity
 *  X mass cancel    9 ref, 13 firm 4, 17 symbol 8, 25 appendage length
 * </pre>
 * A ref is the client's number of an order (UserRefNum), 1 to 2^32 - 1.
 */
public final class OuchDescriptor
{
    /** Enter order. */
    public static final byte ENTER = 'O';
    /** Replace order; and its answer. */
    public static final byte REPLACE = 'U';
    /** Cancel order. */
    public static final byte CANCEL = 'X';
    /** Modify order; and its answer. */
    public static final byte MODIFY = 'M';
    /** Mass cancel. */
    public static final byte MASS_CANCEL = 'C';
    /** System event. */
    public static final byte SYSTEM_EVENT = 'S';
    /** Order accepted. */
    public static final byte ACCEPTED = 'A';
    /** Order replaced. */
    public static final byte REPLACED = 'U';
    /** Order canceled, or a part of it. */
    public static final byte CANCELED = 'C';
    /** Order executed, or a part of it. */
    public static final byte EXECUTED = 'E';
    /** Enter, replace or mass cancel rejected. */
    public static final byte REJECTED = 'J';
    /** Cancel or modify rejected. */
    public static final byte CANCEL_REJECT = 'I';
    /** Order modified. */
    public static final byte MODIFIED = 'M';
    /** Answer to a mass cancel. */
    public static final byte MASS_CANCELED = 'X';

    /** Side: bid. */
    public static final byte BUY = 'B';
    /** Side: ask. */
    public static final byte SELL = 'S';
    /** Time in force: until canceled. */
    public static final byte DAY = '0';
    /** Time in force: immediate or cancel. */
    public static final byte IMMEDIATE = '3';
    /** Display: visible. */
    public static final byte VISIBLE = 'Y';
    /** Sweep: no intermarket sweep. */
    public static final byte NO_SWEEP = 'N';
    /** Cross type: continuous market. */
    public static final byte CONTINUOUS = 'N';
    /** Capacity: other. */
    public static final byte OTHER_CAPACITY = 'O';
    /** State of an accepted order: live. */
    public static final byte LIVE = 'L';
    /** Liquidity: the order rested. */
    public static final byte ADDED = 'A';
    /** Liquidity: the order came in. */
    public static final byte REMOVED = 'R';

    /** Reason of a canceled order: its user asked for it. */
    public static final byte BY_USER = 'U';
    /** Reason of a canceled order: nothing to trade with, and it may not rest. */
    public static final byte BY_TIME_IN_FORCE = 'I';
    /** Reason of a canceled order: its time is over. */
    public static final byte BY_TIMEOUT = 'T';
    /** Reason of a canceled order: it would have traded with an order of its user. */
    public static final byte BY_SELF_MATCH = 'Q';
    /** Reason of a canceled order: the exchange. */
    public static final byte BY_SYSTEM = 'Z';

    /** Bytes of a client's id. */
    public static final int CLIENT_ID_LENGTH = 14;
    /** Bytes of a symbol. */
    public static final int SYMBOL_LENGTH = 8;
    /** Bytes of a firm. */
    public static final int FIRM_LENGTH = 4;

    /** Type letter. */
    public static final int TYPE_OFFSET = 0;
    /** Ref of a message from a client; of a replace, the old one. */
    public static final int REF_OFFSET = TYPE_OFFSET + Byte.BYTES;

    /** Side of an enter or modify. */
    public static final int SIDE_OFFSET = REF_OFFSET + Integer.BYTES;
    /** Quantity of an enter or modify. */
    public static final int QUANTITY_OFFSET = SIDE_OFFSET + Byte.BYTES;
    /** Symbol of an enter. */
    public static final int SYMBOL_OFFSET = QUANTITY_OFFSET + Integer.BYTES;
    /** Price of an enter. */
    public static final int PRICE_OFFSET = SYMBOL_OFFSET + SYMBOL_LENGTH;
    /** Time in force of an enter. */
    public static final int TIME_IN_FORCE_OFFSET = PRICE_OFFSET + Long.BYTES;
    /** Display of an enter. */
    public static final int DISPLAY_OFFSET = TIME_IN_FORCE_OFFSET + Byte.BYTES;
    /** Capacity of an enter. */
    public static final int CAPACITY_OFFSET = DISPLAY_OFFSET + Byte.BYTES;
    /** Sweep of an enter. */
    public static final int SWEEP_OFFSET = CAPACITY_OFFSET + Byte.BYTES;
    /** Cross type of an enter. */
    public static final int CROSS_TYPE_OFFSET = SWEEP_OFFSET + Byte.BYTES;
    /** Client's id of an enter. */
    public static final int CLIENT_ID_OFFSET = CROSS_TYPE_OFFSET + Byte.BYTES;
    /** Appendage length of an enter. */
    public static final int ENTER_APPENDAGE_OFFSET = CLIENT_ID_OFFSET + CLIENT_ID_LENGTH;
    /** Length of an enter without appendage. */
    public static final int ENTER_LENGTH = ENTER_APPENDAGE_OFFSET + Short.BYTES;

    /** New ref of a replace. */
    public static final int NEW_REF_OFFSET = REF_OFFSET + Integer.BYTES;
    /** Quantity of a replace. */
    public static final int REPLACE_QUANTITY_OFFSET = NEW_REF_OFFSET + Integer.BYTES;
    /** Price of a replace. */
    public static final int REPLACE_PRICE_OFFSET = REPLACE_QUANTITY_OFFSET + Integer.BYTES;
    /** Time in force of a replace. */
    public static final int REPLACE_TIME_IN_FORCE_OFFSET = REPLACE_PRICE_OFFSET + Long.BYTES;
    /** Display of a replace. */
    public static final int REPLACE_DISPLAY_OFFSET = REPLACE_TIME_IN_FORCE_OFFSET + Byte.BYTES;
    /** Sweep of a replace. */
    public static final int REPLACE_SWEEP_OFFSET = REPLACE_DISPLAY_OFFSET + Byte.BYTES;
    /** Client's id of a replace. */
    public static final int REPLACE_CLIENT_ID_OFFSET = REPLACE_SWEEP_OFFSET + Byte.BYTES;
    /** Appendage length of a replace. */
    public static final int REPLACE_APPENDAGE_OFFSET = REPLACE_CLIENT_ID_OFFSET + CLIENT_ID_LENGTH;
    /** Length of a replace without appendage. */
    public static final int REPLACE_LENGTH = REPLACE_APPENDAGE_OFFSET + Short.BYTES;

    /** Quantity of a cancel: what the order may trade in all. */
    public static final int CANCEL_QUANTITY_OFFSET = REF_OFFSET + Integer.BYTES;
    /** Length of a cancel without appendage length. */
    public static final int CANCEL_LENGTH = CANCEL_QUANTITY_OFFSET + Integer.BYTES;
    /** Length of a modify without appendage length. */
    public static final int MODIFY_LENGTH = QUANTITY_OFFSET + Integer.BYTES;
    /** Firm of a mass cancel. */
    public static final int FIRM_OFFSET = REF_OFFSET + Integer.BYTES;
    /** Symbol of a mass cancel; spaces for all. */
    public static final int MASS_CANCEL_SYMBOL_OFFSET = FIRM_OFFSET + FIRM_LENGTH;
    /** Length of a mass cancel without appendage length. */
    public static final int MASS_CANCEL_LENGTH = MASS_CANCEL_SYMBOL_OFFSET + SYMBOL_LENGTH;

    /** Time of a message to a client. */
    public static final int TIME_OFFSET = TYPE_OFFSET + Byte.BYTES;
    /** Ref of a message to a client; of a replaced, the old one; code of a system event. */
    public static final int ANSWER_REF_OFFSET = TIME_OFFSET + Long.BYTES;
    /** What follows the ref in a message to a client. */
    public static final int ANSWER_BODY_OFFSET = ANSWER_REF_OFFSET + Integer.BYTES;
    /** Length of a system event. */
    public static final int SYSTEM_EVENT_LENGTH = ANSWER_REF_OFFSET + Byte.BYTES;
    /** Length of an accepted. */
    public static final int ACCEPTED_LENGTH = 64;
    /** Length of a replaced. */
    public static final int REPLACED_LENGTH = ACCEPTED_LENGTH + Integer.BYTES;
    /** Length of a canceled. */
    public static final int CANCELED_LENGTH = ANSWER_BODY_OFFSET + Integer.BYTES + Byte.BYTES;
    /** Length of an executed. */
    public static final int EXECUTED_LENGTH = 36;
    /** Length of a rejected. */
    public static final int REJECTED_LENGTH = ANSWER_BODY_OFFSET + Short.BYTES + CLIENT_ID_LENGTH;
    /** Length of a cancel reject. */
    public static final int CANCEL_REJECT_LENGTH = ANSWER_BODY_OFFSET;
    /** Length of a modified. */
    public static final int MODIFIED_LENGTH = ANSWER_BODY_OFFSET + Byte.BYTES + Integer.BYTES;
    /** Length of an answer to a mass cancel. */
    public static final int MASS_CANCELED_LENGTH = ANSWER_BODY_OFFSET + FIRM_LENGTH + SYMBOL_LENGTH + Short.BYTES;
    /** Longest message to a client. */
    public static final int MAX_ANSWER_LENGTH = REPLACED_LENGTH;
    /** Longest payload of a client that is accepted; more than any message with all appendages of OUCH 5.0. */
    public static final int MAX_REQUEST_LENGTH = 256;

    private OuchDescriptor()
    {
    }
}
