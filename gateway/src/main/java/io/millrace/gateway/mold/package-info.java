/**
 * MoldUDP64: numbered messages in UDP packets, with requests for missing ones. Decoder and encoder, a receiver with
 * recovery, and a sender with a retransmission server.
 */
package io.millrace.gateway.mold;
