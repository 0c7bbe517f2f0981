/**
 * The formats of the best bid and offer on the wire: the UDP packet and the serial line. Flyweight codecs, which
 * neither allocate nor throw.
 */
package io.millrace.gateway.bbo;
