/**
 * SoupBinTCP 3.00: packets with a length and a type, a logon, heartbeats, numbered messages.
 */
package io.millrace.exchange.soup;
