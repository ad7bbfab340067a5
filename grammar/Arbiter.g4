// The grammar of Arbiter rule files.
//
// Cells, directions, zones, pieces and actions are plain names here; check/ resolves them. Newlines
// mean nothing. The grammar holds no target-language code but the names of the classes behind parser and
// tree (tree.h).
//
// Three decisions keep it fast and free of ambiguity:
//  - Operators are a flat list (`expr`); how tightly they bind is decided while the tree is built
//    (parse/build_expr.cpp). Prefixes and chains are loops, so only brackets and `if` nest.
//  - Things that follow each other without punctuation begin with a keyword, or are NAME, never `name`.
//  - Items that stand in braces are lists of one rule each; error recovery works on these lists.
grammar Arbiter;
options { superClass = TreeParser; contextSuperClass = TreeNode; }
@parser::postinclude {#include "tree.h"}

file : decl* EOF ;
onlyExpr : expr EOF ;

decl : 'replace'? declaration cite* ;
declaration
    : gameDecl | authorDecl | textDecl | useDecl | extendsDecl | deleteDecl | optionDecl | playersDecl
    | boardDecl | zoneDecl | stateDecl | pieceDecl | attributeDecl | everyPieceDecl | classDecl
    | actionDecl | defineDecl | walkDecl | effectDecl | turnDecl | phaseDecl
    | handlerDecl | lawDecl | outcomeDecl | setupDecl | startDecl | fenDecl | showDecl | exampleDecl
    ;

// ---- the head of a file ------------------------------------------------------------------------
gameDecl    : 'game' STRING ;
authorDecl  : 'author' STRING ;
textDecl    : 'text' STRING ;
useDecl     : 'use' path ;
extendsDecl : 'extends' STRING ;
deleteDecl  : 'delete' (deletable name | 'show' label) ;
deletable   : 'piece' | 'action' | 'define' | 'walk' | 'effect' | 'turn' | 'phase' | 'zone' | 'setup' | 'option' | 'class' | 'state' | 'place'
            | 'barrier' | 'ring' | 'directions' ;
optionDecl  : 'option' name ':' type '=' expr ;
playersDecl : 'players' player (',' player)* ;
player      : name ('facing' name)? ;

// ---- board ---------------------------------------------------------------------------------------
boardDecl : 'board' boardBody ;
boardBody : '{' cite* boardItem* '}' ;
boardItem
    : 'squares' INT NAME INT? ('without' expr)? ('wrap' wrapAxis)* cite*               # squares
    | 'hexes' NAME INT+ ('without' expr)? cite*                                    # hexes
    | 'cells' NAME+ cite*                                                          # cells
    | 'link' link (',' link)* cite*                                                # links
    | 'directions' name '=' expr (',' expr)* cite*                                 # directions
    | 'place' name index? INT cite*                                                # place
    | 'ring' name NAME 'from' name ('around' expr)? cite*                          # ring
    | 'facing' 'along' names cite*                                                 # facing
    | 'deflect' 'at' turnAt (',' turnAt)* ('if' expr)? cite*                       # deflectAt
    | 'deflect' name 'at' name ('if' expr)? cite*                                  # deflectEdges
    | 'barrier' name 'between' term 'and' term cite*                               # barrier
    | zoneDecl cite*                                                               # boardZone
    ;
wrapAxis  : NAME | 'files' | 'ranks' ;
link      : name name '->' name ;
turnAt    : name name '->' name ;
zoneDecl  : 'zone' name index? '=' expr (',' expr)* ;
index     : '[' indexItem (',' indexItem)* ']' ;
indexItem : name ('in' type)? ;
names     : name (',' name)* ;
path      : name ('.' name)* ;

// ---- types and state -----------------------------------------------------------------------------
type      : (range | enumSet | name enumSet?) '?'? ;
range     : bound '..' bound ;
bound     : '-'? INT | name ;
enumSet   : '{' expr (',' expr)* '}' ;
params    : '(' (param (',' param)*)? ')' ;
param     : name (':' type)? ;

stateDecl : 'piece'? 'state' stateBody ;
stateBody : '{' cite* stateVar* '}' ;
stateVar  : life=('brief' | 'clock')? name index? ':' type '=' expr cite* ;

// ---- pieces --------------------------------------------------------------------------------------
pieceDecl      : ('neutral' | 'fixed')* 'piece' name STRING* ('like' name)? NAME* pieceBody? ;
attributeDecl  : 'piece' 'attribute' name ':' type ;
everyPieceDecl : 'every' 'piece' ('except' names)? pieceBody ;
classDecl      : 'class' names ;
pieceBody      : '{' cite* pieceItem* '}' ;
pieceItem
    : verb ('or' verb)* walk rider* cite*                                               # moves
    | 'promotes' 'to' name ('|' name)* 'in' term ('if' expr)? opt='optional'? cite*     # promotes
    | 'can' name args? rider* cite*                                                     # can
    | 'may' 'be' 'off' 'board' cite*                                                    # mayBeOff
    | 'betza' STRING cite*                                                              # betzaItem
    | name '=' arg (',' arg)* cite*                                                     # attributeItem
    ;
verb  : 'move' | 'take' | 'threaten' ;
rider : 'from' ('anywhere' | riderZone) | 'to' riderZone | 'if' expr | 'do' block ;
riderZone : 'not'? term ;

// ---- actions -------------------------------------------------------------------------------------
actionDecl : 'action' name params? ('by' name ('|' name)*)? stepBody ;
stepBody   : '{' cite* step* '}' ;
step
    : 'choose' name '=' query cite*                                  # chooseWalk
    | 'choose' name 'in' expr cite*                                  # chooseIn
    | 'let' name (':' type)? '=' (query | expr) cite*                # letStep
    | 'require' expr cite*                                           # requireStep
    | 'do' block cite*                                               # doStep
    | 'if' expr stepBody ('else' 'if' expr stepBody)* ('else' stepBody)? cite*   # ifStep
    | 'for' name 'in' expr stepBody cite*                            # forStep
    | 'written' expr (',' expr)* cite*                               # writtenStep
    | 'threatens' expr cite*                                         # threatensStep
    | name args cite*                                                # callStep
    ;
query  : walk 'from' expr 'onto' filter ('within' expr)? ;
filter : 'not'? filterTerm ('or' filterTerm)* ;
filterTerm : 'empty' | ('enemy' | 'own') NAME? | 'any' 'piece'? | name ;

defineDecl : 'define' name params? '=' expr ;
walkDecl   : 'walk' name params? '=' walk ;
effectDecl : 'effect' name params? block ;

block  : '{' cite* effect* '}' ;
effect
    : 'lift' postfix cite*                                                       # lift
    | 'put' postfix 'on' postfix cite*                                           # put
    | 'place' name ('of' owner=postfix)? 'at' where=postfix cite*                               # placeEffect
    | 'remove' 'at'? postfix cite*                                               # remove
    | 'swap' postfix ',' postfix cite*                                           # swap
    | 'set' 'up' postfix cite*                                                   # setUp
    | 'goto' postfix cite*                                                       # goto
    | verdict=('win' | 'lose') postfix cite*                                     # verdictEffect
    | 'draw' cite*                                                               # drawEffect
    | 'result' share (',' share)* cite*                                          # result
    | 'if' expr block ('else' 'if' expr block)* ('else' block)? cite*            # ifEffect
    | 'for' name 'in' expr block cite*                                           # forEffect
    | target ('->' postfix | 'becomes' postfix | 'joins' postfix | op=('=' | '+=' | '-=') expr) cite*    # changeEffect
    | name args cite*                                                            # callEffect
    ;
share  : expr 'to' postfix ;
target : name args? trailer* ('of' core)* ;

// ---- walks: `then` between steps, `|` between ways -------------------------------------------------
walk     : walkSeq ('|' walkSeq)* ('may' 'stay')? ;
walkSeq  : walkItem ('then' walkItem)* ;
walkItem : walkAtom quant? ('over' overCond)? ;
overCond : filterTerm | '(' expr ')' ;
quant    : '*' | '+' | '?' | '{' times (dots='..' times?)? '}' ;
times    : times1 (('+' | '-') times1)* ;
times1   : INT | name ;
walkAtom
    : 'face' core                  # face
    | 'turn' NAME                  # turnHeading
    | '(' 'if' expr ')'            # guard
    | '(' walk ')'                 # walkParens
    | 'betza' STRING               # betza
    | 'deflect'                    # deflectStep
    | name args? trailer*          # walkName
    ;

// ---- turns and phases ------------------------------------------------------------------------------
turnDecl : 'turn' name? '=' turn ;
turn     : ('if' expr ':' turnElse 'otherwise')* turnElse ;
turnElse : turnOr ('else' turnOr)* ;
turnOr   : turnSeq ('or' turnSeq)* ;
turnSeq  : turnPart ('then' turnPart)* cite* ;
turnPart : 'longest'? turnAtom quant? ;
turnAtom : ('any' 'move' ('except' names)? | name) ('by' which=('same' | 'other'))? | '(' turn ')' ;

phaseDecl : 'phase' name phaseBody ;
phaseBody : '{' cite* phaseItem* '}' ;
phaseItem
    : 'player' expr cite*         # phasePlayer
    | 'turn' '=' turn             # phaseTurn
    | 'after' block cite*         # phaseAfter
    ;

// ---- events, laws, ends ------------------------------------------------------------------------------
handlerDecl : 'when' event ('in' names)? ('if' expr)? block ;
event
    : 'turn' which=('begins' | 'ends')                                                   # turnEvent
    | 'no' 'legal' 'turn'                                                                # noTurnEvent
    | 'after' 'action'                                                                   # actionEvent
    | subject (('moves' | 'is' ('moved' | 'captured')) ('from' term)? ('to' term)?
               | ('lands' 'in' | 'enters' | 'leaves' | 'crosses') zone=term)             # pieceEvent
    ;
subject : ('any' 'piece' | 'piece' 'at' core | name) ('of' postfix)? ;
lawDecl : 'forbid' ('at' 'turn' 'end')? ('in' names)? ('action' 'by' name 'when')? expr ;
outcomeDecl
    : verdict=('win' | 'lose') postfix ('at' 'once')? ('in' names)? 'when' expr                        # winOutcome
    | 'draw' ('at' 'once')? ('in' names)? 'when' ('repetition' INT ('if' expr)? | expr)                # drawOutcome
    | 'limit' 'turns' INT ('if' expr)?                                                                 # limitOutcome
    ;

// ---- set-ups and examples ------------------------------------------------------------------------------
setupDecl : 'setup' (NAME subscript?)? ('=' setupRef)? ('with' placement (',' placement)*)? ('to' 'move' name)?
            (DIAGRAM | 'fen' STRING)? ;
placement : name 'on' name ;
startDecl : 'start' setupRef ;
setupRef  : NAME subscript? ;
fenDecl   : 'fen' fenBody ;
fenBody   : '{' cite* fenField* '}' ;
fenField  : 'flags' STRING '=' postfix (',' postfix)* | ('cell' | 'number') postfix | 'skip' ;

// What is told about a position. A label is no name that rules can read, so it may be a keyword too.
showDecl : 'show' ('zones' names | label '=' expr (',' expr)* ('if' expr)?) ;
label    : name | 'move' | 'take' | 'win' | 'lose' | 'draw' | 'count' | 'board' | 'players' | 'option' | 'action' | 'pieces'
         | 'own' | 'enemy' | 'rank' | 'file' ;

exampleDecl   : 'example' STRING? cite* ('with' chosen (',' chosen)*)? exampleBody ;
chosen        : name '=' expr ;
exampleBody   : '{' exampleItem* '}' ;
exampleItem
    : 'setup' setupRef?                                           # exSetup
    | 'position' ('fen'? STRING | positionBody)                   # exPosition
    | 'moves' ('of' NAME slotIndex* | 'where' expr)? '=' '{' playedMove* '}'       # exMoves
    | 'count' 'moves' '=' INT                                     # exCount
    | which=('legal' | 'illegal') playedMove+ 'because'? cite*    # exLegal
    | 'after' playedMove+ ':'                                     # exAfter
    | 'holds' expr                                                # exHolds
    | 'perft' INT ('..' INT)? '=' INT (',' INT)*                  # exPerft
    | 'result' (word=('win' | 'lose') name | word='draw' | share (',' share)* | NAME)  # exResult
    ;
positionBody  : '{' positionEntry* '}' ;
positionEntry : 'to' 'move' name | target '=' expr | NAME subscript* ;     // `bench[White][2]`: a slot of a place
playedMove    : STRING | moveWord (('-' | '=' | ':' | '>' | '->' | '*' | '+') moveWord)* ;
moveWord      : (NAME | softWord) slotIndex* | INT ;
slotIndex     : '[' (NAME | INT) (',' (NAME | INT))* ']' ;

// ---- expressions: how tightly operators bind is in parse/build_expr.cpp -----------------------------------
expr     : operand (infix operand)* ;
operand  : prefix* term suffix* ;
prefix   : 'not' | '-'
         | quantifier=('some' | 'every' | 'no' | 'count') name 'in' expr ':'
         | 'if' expr 'then' expr 'else' ;
suffix   : 'is' 'not'? isWord | 'exists' ;
isWord   : 'empty' | ('own' | 'enemy') NAME? | 'any' 'piece' | name ;
infix   : 'and' | 'or' | 'implies' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '&' | 'not'? 'in' ;
term     : pieceSet | rankOrFile | postfix ('..' postfix | 'pieces' setTail)? ;      // `heavy pieces`: a name first
pieceSet : side=('own' | 'enemy' | 'empty') (cells='cells' | ('pieces' | NAME 'pieces'?) setTail)?
         | 'pieces' setTail ;
setTail  : ('of' postfix)? ('except' NAME (',' NAME)*)? ('on' term)? ;
rankOrFile : ('rank' | 'ranks' | 'file' | 'files') (lineBound ('..' lineBound)? | args) ;
lineBound  : INT | NAME ;
postfix  : core ('of' core)* ;
core     : atom trailer* ;
trailer  : '.' name | subscript ;
subscript : '[' expr (',' expr)* ']' ;
atom     : INT | STRING | name args? | '(' expr ')' | set ;
set      : '{' (expr (':' expr | (',' expr)*))? '}' ;      // `{ c in S : C }`, `{ a, b }`
args     : '(' (arg (',' arg)*)? ')' ;
arg      : expr | walk ;          // read by the type of the parameter; what is both counts as `expr`

cite : CITE ;

// Words that are keywords in one place and free names elsewhere. Names that begin with a capital are
// never keywords.
name : NAME | softWord | 'moves' | 'setup' | 'position' | 'perft' | 'legal' | 'illegal' | 'result' | 'holds' ;
softWord
    : 'game' | 'author' | 'text' | 'use' | 'delete' | 'squares' | 'hexes' | 'cells' | 'link' | 'directions'
    | 'place' | 'ring' | 'along' | 'around' | 'facing' | 'barrier' | 'wrap' | 'zone' | 'attribute' | 'clock' | 'like'
    | 'neutral' | 'optional' | 'be' | 'off' | 'may' | 'stay' | 'anywhere' | 'same' | 'longest' | 'walk' | 'piece'
    | 'set' | 'up' | 'to' | 'from' | 'over' | 'any' | 'turn' | 'begins' | 'ends' | 'phase' | 'player' | 'moved'
    | 'captured' | 'enters' | 'leaves' | 'crosses' | 'lands' | 'start' | 'limit' | 'turns' | 'once' | 'end' | 'repetition'
    | 'flags' | 'cell' | 'number' | 'skip' | 'where' | 'between' | 'swap' | 'becomes' | 'state'
    | 'show' | 'zones' | 'other'
    ;

// Kept for a later version: no rule uses this, so they are an error wherever they stand.
reservedWord : 'chance' | 'secret' ;

RParen  : ')' ;
RSquare : ']' ;
RBrace  : '}' ;
CITE    : [§@] DIGIT+ ('.' DIGIT+)* ;
INT     : DIGIT+ ;
NAME    : LETTER (LETTER | DIGIT | '_')* ;
DIAGRAM : '"""' .*? '"""' ;
STRING  : '"' ~["\r\n]* '"' ;
DOC     : '///' ~[\r\n]* -> channel(HIDDEN) ;
COMMENT : '//' ~[\r\n]* -> channel(HIDDEN) ;
WS      : [ \t\r\n\u00A0\u3000\uFEFF]+ -> skip ;
UNKNOWN : . ;                     // everything else: the parser says what is wrong with it
fragment DIGIT  : [0-9] ;
fragment LETTER : [\p{L}\p{M}] ;
