/**
 * NASDAQ TotalView-ITCH 5.0: messages, framed files, pcap files, and a source that builds order books and publishes the
 * changes of their best bid and offer. The books are handed in: see {@link io.millrace.gateway.itch.ItchBook}.
 */
package io.millrace.gateway.itch;
