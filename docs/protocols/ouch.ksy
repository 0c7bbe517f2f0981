meta:
  id: ouch_stream
  title: SoupBinTCP 3.00 packets with the OUCH 5.0 subset
  endian: be
  encoding: ASCII
doc: See ouch.md. A stream of one direction. U is a request only from a client.
seq:
  - id: packets
    type: packet
    repeat: eos
types:
  packet:
    seq:
      - id: len
        type: u2
      - id: type
        type: str
        size: 1
      - id: payload
        size: len - 1
        type:
          switch-on: type
          cases:
            '"L"': login_request
            '"A"': login_accepted
            '"J"': login_rejected
            '"U"': request
            '"S"': answer
  login_request:
    seq:
      - {id: user, type: str, size: 6}
      - {id: token, type: str, size: 10}
      - {id: session, type: str, size: 10}
      - {id: sequence, type: str, size: 20}
  login_accepted:
    seq:
      - {id: session, type: str, size: 10}
      - {id: sequence, type: str, size: 20}
  login_rejected:
    seq:
      - {id: reason, type: str, size: 1}
  request:
    seq:
      - {id: type, type: str, size: 1}
      - id: body
        type:
          switch-on: type
          cases:
            '"O"': enter
            '"U"': replace
            '"X"': cancel
            '"M"': modify
            '"C"': mass_cancel
  enter:
    seq:
      - {id: ref, type: u4}
      - {id: side, type: str, size: 1}
      - {id: quantity, type: u4}
      - {id: stock, type: str, size: 8}
      - {id: price, type: u8}
      - {id: time_in_force, type: str, size: 1}
      - {id: display, type: str, size: 1}
      - {id: capacity, type: str, size: 1}
      - {id: sweep, type: str, size: 1}
      - {id: cross_type, type: str, size: 1}
      - {id: client_id, type: str, size: 14}
      - {id: appendage_length, type: u2}
  replace:
    seq:
      - {id: old_ref, type: u4}
      - {id: ref, type: u4}
      - {id: quantity, type: u4}
      - {id: price, type: u8}
      - {id: time_in_force, type: str, size: 1}
      - {id: display, type: str, size: 1}
      - {id: sweep, type: str, size: 1}
      - {id: client_id, type: str, size: 14}
      - {id: appendage_length, type: u2}
  cancel:
    seq:
      - {id: ref, type: u4}
      - {id: quantity, type: u4}
  modify:
    seq:
      - {id: ref, type: u4}
      - {id: side, type: str, size: 1}
      - {id: quantity, type: u4}
  mass_cancel:
    seq:
      - {id: ref, type: u4}
      - {id: firm, type: str, size: 4}
      - {id: stock, type: str, size: 8}
  answer:
    seq:
      - {id: type, type: str, size: 1}
      - {id: time_ns, type: u8}
      - id: body
        type:
          switch-on: type
          cases:
            '"A"': accepted
            '"U"': replaced
            '"M"': modify
            '"C"': canceled
            '"E"': executed
            '"J"': rejected
            '"I"': cancel_reject
            '"X"': mass_cancel
            '"S"': system_event
  order:
    seq:
      - {id: side, type: str, size: 1}
      - {id: quantity, type: u4}
      - {id: stock, type: str, size: 8}
      - {id: price, type: u8}
      - {id: time_in_force, type: str, size: 1}
      - {id: display, type: str, size: 1}
      - {id: reference, type: u8}
      - {id: capacity, type: str, size: 1}
      - {id: sweep, type: str, size: 1}
      - {id: cross_type, type: str, size: 1}
      - {id: state, type: str, size: 1}
      - {id: client_id, type: str, size: 14}
      - {id: appendage_length, type: u2}
  accepted:
    seq:
      - {id: ref, type: u4}
      - {id: order, type: order}
  replaced:
    seq:
      - {id: old_ref, type: u4}
      - {id: ref, type: u4}
      - {id: order, type: order}
  canceled:
    seq:
      - {id: ref, type: u4}
      - {id: quantity, type: u4}
      - {id: reason, type: str, size: 1}
  executed:
    seq:
      - {id: ref, type: u4}
      - {id: quantity, type: u4}
      - {id: price, type: u8}
      - {id: liquidity, type: str, size: 1}
      - {id: match_number, type: u8}
      - {id: appendage_length, type: u2}
  rejected:
    seq:
      - {id: ref, type: u4}
      - {id: reason, type: u2}
      - {id: client_id, type: str, size: 14}
  cancel_reject:
    seq:
      - {id: ref, type: u4}
  system_event:
    seq:
      - {id: code, type: str, size: 1}
