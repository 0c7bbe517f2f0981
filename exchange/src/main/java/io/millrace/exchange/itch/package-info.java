/**
 * Market data out: the orders of all books as ITCH 5.0 over MoldUDP64, and snapshots over SoupBinTCP.
 */
package io.millrace.exchange.itch;
