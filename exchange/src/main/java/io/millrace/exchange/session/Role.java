package io.millrace.exchange.session;

/** What a client may do. */
public enum Role
{
    /** Orders of its own user, the levels of the books, a report on its own user. */
    TRADER,

    /** Also users, balances, symbols and reports on everything. */
    ADMIN,

    /** No commands; gets a copy of the answers about orders of all clients. */
    DROP_COPY
}
