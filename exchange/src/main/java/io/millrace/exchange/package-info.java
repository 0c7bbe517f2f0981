/**
 * A running exchange: order entry over the network, an order-matching engine with its journal, market data out.
 */
package io.millrace.exchange;
